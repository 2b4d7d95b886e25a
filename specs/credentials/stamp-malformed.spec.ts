import { malformedStamps, type MalformedStamp } from '../../client/crypto/index.ts';
import { test, verifies, type Answer } from '../../suite/index.ts';
import { expectUnauthorized, mistaken } from './support/attempts.ts';
import { MALFORMED_RULES, MAY_BE_READ } from './support/rules-of-bends.ts';
import { signedOperation, signedOperations } from './support/signed-operations.ts';

const MALFORMED = 'WALLET_SIGNATURE_MALFORMED';
/** What a target may call the stamp beside malformed, where the text leaves room. */
const OR_ELSE = {
  missing: 'WALLET_SIGNATURE_MISSING',
  read: 'WALLET_SIGNATURE_INVALID',
  invalid: 'WALLET_SIGNATURE_INVALID',
} as const;
/** Tried with every operation; all rows are tried with the first. */
const CLEAREST = [
  'encoding-not-base64url',
  'structure-not-json',
  'structure-empty-object',
  'signature-missing',
];

for (const row of malformedStamps)
  test(
    `a stamp that ${row.says} is malformed`,
    verifies(MALFORMED_RULES[row.part]),
    async ({ given, check, need, observe, profile }) => {
      const situation = await signedOperation('RETRY-CREDENTIAL-CREATE').prepare({ given, need, profile });
      for (const answer of await mistaken(need, situation, [mistakeOf(row)])) {
        if (MAY_BE_READ.includes(row.name))
          observe('stamp-construction', { [row.name]: answer.outcome }, answer);
        if (!wasRead(row, answer)) await check(MALFORMED_RULES[row.part], () => expectMalformed(row, answer));
      }
    },
  );

for (const { name, prepare } of signedOperations.slice(1))
  test(
    `${name}: a malformed stamp is told so`,
    verifies(...Object.values(MALFORMED_RULES)),
    async ({ given, check, need, profile }) => {
      const situation = await prepare({ given, need, profile });
      const rows = malformedStamps.filter((row) => CLEAREST.includes(row.name));
      const answers = await mistaken(need, situation, rows.map(mistakeOf));
      for (const [at, answer] of answers.entries()) {
        const row = rows[at] as MalformedStamp;
        await check(MALFORMED_RULES[row.part], () => expectMalformed(row, answer));
      }
    },
  );

function mistakeOf(row: MalformedStamp) {
  return {
    says: `with a stamp that ${row.says}`,
    bend: { stamp: (...parts: Parameters<MalformedStamp['make']>) => row.make(...parts) },
  };
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
  expectUnauthorized(answer, MALFORMED, orElse);
}
