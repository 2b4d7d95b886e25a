import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { readProfileFile } from '../../target/profile-file.ts';
import { UsageError } from '../../target/usage-error.ts';
import { scratchFile } from '../support/run-assay.ts';

/** One mistake for each key, and what is said of it after the line. */
const MISTAKES: readonly (readonly [yaml: string, said: RegExp])[] = [
  ['nam: Acme', /^has an unknown key nam; did you mean name\?$/],
  ['name: 5', /^is wrong at name: it must be text: put it in quotes, '5'\.$/],
  ['baseUrl: [a]', /^is wrong at baseUrl: it must be text, not \["a"\]\.$/],
  [
    'brand: Big Bank',
    /^is wrong at brand: Big Bank has another form than it must have; write it like Acme\.$/,
  ],
  ['environment: sandox', /there is no sandox; did you mean sandbox\?$/],
  ['environment: test', /there is no test; it is one of sandbox, production\.$/],
  ['sandboxHost: ""', /^is wrong at sandboxHost: it must not be empty\.$/],
  ['denyHosts: api.acme.example', /it must be a list, in brackets or with a dash/],
  ['caps: { amout: 5 }', /^has an unknown key caps: amout; did you mean amount\?$/],
  ['caps: { requests: 1.5 }', /^is wrong at caps\.requests: it must be a whole number, not 1\.5\.$/],
  ['caps: {}', /^is wrong at caps: it must hold at least one of amount, requests\.$/],
  ['capabilities: [agents, oath]', /^is wrong at capabilities\.1: there is no oath; did you mean oauth\?$/],
  ['without: [sca, sca]', /^is wrong at without: it names something twice\.$/],
  ['preparation: public-call', /did you mean public-calls\?$/],
  ['providerStatesUrl: 4020', /put it in quotes, '4020'\.$/],
  ['fixtures: true', /put it in quotes, 'true'\.$/],
  ['knownFailures: { rule: x }', /^is wrong at knownFailures: it must be text, not /],
  ['accepted: 5', /^is wrong at accepted: /],
  ['clock: targett', /did you mean target\?$/],
  ['slow: maybe', /^is wrong at slow: it must be true or false, not maybe\.$/],
  ['requestTimeoutMs: 5', /^is wrong at requestTimeoutMs: it must be at least 100, not 5\.$/],
  ['currency: usd', /usd has another form than it must have; write it like USD\.$/],
  ['pace: 0', /^is wrong at pace: it must be above 0, not 0\.$/],
  ['concurrency: 2/s', /^is wrong at concurrency: it must be a whole number, not 2\/s\.$/],
  ['sparing: often', /^is wrong at sparing: it must be true or false/],
  ['rateLimit: 35', /^is wrong at rateLimit: it must hold keys and values: longestSeconds, budgetSeconds\.$/],
  ['webhookListen: "8085"', /write it like 0\.0\.0\.0:8085\.$/],
  ['webhookUrl: tunnel', /write it like https:\/\/tunnel\.example\/events\.$/],
  ['eventLog: { list: data }', /^is wrong at eventLog: it lacks path\.$/],
  ['eventLog: { path: events }', /write it like \/webhooks\/events\?customer=\{customerId\}\.$/],
  ['cleanUp: { Customer: DELETE /customers }', /write it like DELETE \/customers\/\{id\}\.$/],
  ['cleanUp: { Custmer: "DELETE /c/{id}" }', /^is wrong at cleanUp\.Custmer: .* did you mean Customer\?$/],
  ['gate: { should: warn }', /there is no warn; it is one of allow, fail\.$/],
  ['dialect: defaults', /write the word default where all defaults hold/],
  ['dialect: { stampp: 1 }', /^has an unknown key dialect: stampp; did you mean stamp\?$/],
  ['dialect: { agentToken: { value: Bearer } }', /write it like 'Bearer \{token\}'\.$/],
  ['dialect: { stamp: { encoding: base64urll } }', /did you mean base64url\?$/],
  ['dialect: { otpSeal: { aad: key } }', /did you mean keys\?$/],
  ['dialect: { sessionKeySeal: { inf: x } }', /did you mean info\?$/],
  ['dialect: { smsCode: 123456 }', /put it in quotes, '123456'\.$/],
  ['dialect: { scaProof: { fild: x } }', /did you mean field\?$/],
  ['dialect: { oidcToken: { audiense: x } }', /did you mean audience\?$/],
  ['dialect: { oidcNonce: base64 }', /it is one of hex, base64url\.$/],
  ['dialect: { passkey: { rpid: x } }', /did you mean rpId\?$/],
  ['dialect: { credentialBody: { EMAIL: {} } }', /known keys are EMAIL_OTP, SMS_OTP\.$/],
  ['dialect: { paths: { refreshSesion: /x } }', /there is; did you mean refreshSession\?$/],
  ['dialect: { paths: { createQuote: /x } }', /is a path that the interface gives: remove it/],
  ['dialect: { paths: { refreshSession: "/x/{sesion}" } }', /holds \{sesion\}, which Assay cannot fill in/],
  ['dialect: { bodies: { createCustmer: {} } }', /there is; did you mean createCustomer\?$/],
  [
    'dialect: { bodies: { createCustomer: x } }',
    /^is wrong at dialect\.bodies\.createCustomer: it must hold/,
  ],
  ['dialect: { effectSeconds: 0 }', /it must be above 0, not 0\.$/],
  ['dialect: { eventSeconds: soon }', /it must be a number, not soon\.$/],
];

function refusal(name: string, text: string): string {
  const path = scratchFile(name, text);
  try {
    readProfileFile(path);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message.replace(path, '…');
  }
  throw new Error('it was taken');
}

for (const [yaml, said] of MISTAKES)
  test(`${yaml} is told with its line`, () => {
    const told = refusal('profile.yaml', `# A profile\n${yaml}\n`);
    const [, line, rest = ''] = /^The profile …, line (\d+), (.*)$/.exec(told) ?? [];
    expect(line).toBe('2');
    expect(rest).toMatch(said);
    const json = JSON.stringify(parse(yaml), undefined, 2);
    const [, jsonLine, jsonRest] =
      /^The profile …, line (\d+), (.*)$/.exec(refusal('profile.json', json)) ?? [];
    expect(jsonRest).toBe(rest);
    // JSON has a line for each key and element: the mistake's own is named.
    const place = /^(?:has an unknown key (?:\S+: )?(\w+)|is wrong at (\S+):)/.exec(rest);
    const last = (place?.[1] ?? place?.[2] ?? '').split('.').at(-1) as string;
    if (!/^\d/.test(last)) expect(json.split('\n')[Number(jsonLine) - 1]).toContain(`"${last}"`);
    else expect(Number(jsonLine)).toBeGreaterThan(2);
  });
