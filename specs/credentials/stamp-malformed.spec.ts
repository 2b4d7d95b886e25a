import { malformedStamps, type MalformedStamp } from '../../client/crypto/index.ts';
import {
  expect,
  signedOperation,
  signedOperations,
  test,
  verifies,
  type Answer,
  type Mistake,
} from '../../suite/index.ts';
import { MALFORMED_RULES, MAY_BE_READ } from '../support/rules-of-mistakes.ts';

const MALFORMED = 'WALLET_SIGNATURE_MALFORMED';
/** What a target may call the stamp beside malformed, where the text leaves room. */
const OR_ELSE = {
  missing: 'WALLET_SIGNATURE_MISSING',
  read: 'WALLET_SIGNATURE_INVALID',
  invalid: 'WALLET_SIGNATURE_INVALID',
} as const;
/** Tried with every operation; all rows are tried with the first. */
const CLEAREST = malformedStamps.filter(({ name }) =>
  ['encoding-not-base64url', 'structure-not-json', 'structure-empty-object', 'signature-missing'].includes(
    name,
  ),
);
const ADDING = signedOperation('RETRY-CREDENTIAL-CREATE');

for (const row of malformedStamps)
  test(
    `a stamp that ${row.says} is malformed`,
    verifies(MALFORMED_RULES[row.part]),
    async ({ given, check, observe }) => {
      const { wallet } = await given.signedIn();
      const { answer } = await wallet.signedRetry(ADDING, mistake(row));
      await wallet.mustComplete(ADDING);
      if (MAY_BE_READ.includes(row.name))
        observe('stamp-construction', { [row.name]: answer.outcome }, answer);
      if (!wasRead(row, answer)) await check(MALFORMED_RULES[row.part], () => expectMalformed(row, answer));
    },
  );

for (const operation of signedOperations.slice(1))
  test(
    `${operation.name}: a malformed stamp is told so`,
    verifies(...Object.values(MALFORMED_RULES)),
    async ({ given, check }) => {
      const { wallet } = await given.signedIn(operation.signsInWith);
      const answers = await wallet.mistakenRetries(operation, CLEAREST.map(mistake));
      await wallet.mustComplete(operation);
      for (const [at, answer] of answers.entries()) {
        const row = CLEAREST[at] as MalformedStamp;
        await check(MALFORMED_RULES[row.part], () => expectMalformed(row, answer));
      }
    },
  );

function mistake(row: MalformedStamp): Mistake {
  return { label: `with a stamp that ${row.says}`, tamper: { stamp: (...of) => row.make(...of) } };
}

/** Accepted though only a verification would have found it: that nothing is verified is another rule's matter. */
function wasRead(row: MalformedStamp, { exchange }: Answer): boolean {
  return (
    (exchange.response?.status ?? 0) < 300 && (MAY_BE_READ.includes(row.name) || row.orElse === 'invalid')
  );
}

function expectMalformed(row: MalformedStamp, answer: Answer): void {
  // A field that is there and cannot be used may be found only when the signature is verified.
  const laterFound =
    row.part === 'fields' && !row.name.endsWith('-missing') && !row.name.endsWith('-not-text');
  const mayBeInvalid = MAY_BE_READ.includes(row.name) || laterFound;
  const orElse = row.orElse ? OR_ELSE[row.orElse] : mayBeInvalid ? OR_ELSE.invalid : MALFORMED;
  expect(answer).toBeUnauthorized(MALFORMED, orElse);
}
