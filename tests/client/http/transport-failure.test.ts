import { expect, test } from '@playwright/test';
import { describeTransportFailure } from '../../../client/http/transport-failure.ts';

const withCode = (code: string, cause?: unknown) =>
  Object.assign(new Error('secret text', { cause }), { code });

const CASES: readonly (readonly [string, unknown, string])[] = [
  ['a closed port', withCode('ECONNREFUSED'), 'nothing listens there (connection refused)'],
  [
    'a code deeper in the causes',
    new Error('fetch failed', { cause: withCode('ENOTFOUND') }),
    'the host name cannot be resolved',
  ],
  [
    'several addresses',
    new AggregateError([withCode('ECONNREFUSED')]),
    'nothing listens there (connection refused)',
  ],
  ['our own upper bound', new DOMException('x', 'TimeoutError'), 'no answer came in time'],
  [
    'a self-signed certificate',
    withCode('DEPTH_ZERO_SELF_SIGNED_CERT'),
    'its TLS certificate is self-signed',
  ],
  [
    'another fault of TLS',
    withCode('ERR_SSL_NO_PROTOCOLS_AVAILABLE'),
    'TLS failed (ERR_SSL_NO_PROTOCOLS_AVAILABLE)',
  ],
  ['a parser error', withCode('HPE_INVALID_STATUS'), 'it does not speak HTTP on that port'],
  ['an unknown code', withCode('EWHATEVER'), 'the request failed (EWHATEVER)'],
  ['no code at all', new TypeError('secret text'), 'the request failed (TypeError)'],
  ['something that is no error', 'secret text', 'the request failed (unknown error)'],
];

for (const [what, error, sentence] of CASES)
  test(`${what}: ${sentence}`, () => expect(describeTransportFailure(error)).toBe(sentence));
