import { toBase64Url, utf8 } from '../bytes.ts';

/** A text that is no signed JWT. */
export interface MalformedToken {
  /** Kebab-case, unique in the table. */
  readonly name: string;
  /** What is wrong, to follow "the token …". */
  readonly says: string;
  /** The text, made from a good token so that nothing else is wrong. */
  make(good: string): string;
}

const encoded = (text: string): string => toBase64Url(utf8(text));

/** A row that changes the three parts of the compact form. */
function parts(
  name: string,
  says: string,
  change: (header: string, payload: string, sig: string) => string[],
) {
  const make = (good: string): string => {
    const [header = '', payload = '', signature = ''] = good.split('.');
    return change(header, payload, signature).join('.');
  };
  return { name, says, make };
}

/** Every malformed token. */
export const malformedTokens: readonly MalformedToken[] = [
  { name: 'token-empty', says: 'is empty', make: () => '' },
  { name: 'token-one-word', says: 'is one word', make: () => 'notatoken' },
  { name: 'token-only-dots', says: 'has three empty parts', make: () => '..' },
  parts('token-two-parts', 'has no signature part', (header, payload) => [header, payload]),
  parts('token-four-parts', 'has a part too many', (...all) => [...all, 'more']),
  parts('header-not-base64url', 'has a header that is not base64url', (_, ...rest) => ['%%%', ...rest]),
  parts('header-not-json', 'has a header that is not JSON', (_, ...rest) => [encoded('header'), ...rest]),
  parts('payload-not-base64url', 'has a payload that is not base64url', (header, _, sig) => [
    header,
    '%%%',
    sig,
  ]),
  parts('payload-not-json', 'has a payload that is not JSON', (header, _, sig) => [
    header,
    encoded('{"iss":'),
    sig,
  ]),
  parts('payload-json-array', 'has a payload that is a JSON array', (header, _, sig) => [
    header,
    encoded('["iss","sub"]'),
    sig,
  ]),
];
