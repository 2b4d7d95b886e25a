import { malformedStamps, type MalformedStamp } from '../../client/crypto/index.ts';
import { test, verifies, type Answer } from '../../suite/index.ts';
import { expectUnauthorized, mistaken } from './support/attempts.ts';
import { signedOperation, signedOperations } from './support/signed-operations.ts';

const MALFORMED = 'WALLET_SIGNATURE_MALFORMED';
/** What a target may call the stamp beside malformed, where the text leaves room. */
const OR_ELSE = {
  missing: 'WALLET_SIGNATURE_MISSING',
  read: 'WALLET_SIGNATURE_INVALID',
  invalid: 'WALLET_SIGNATURE_INVALID',
} as const;
const RULES = {
  encoding: 'STAMP-MALFORMED-ENCODING',
  structure: 'STAMP-MALFORMED-STRUCTURE',
  fields: 'STAMP-MALFORMED-FIELDS',
} as const;
/** Tried with every operation; all rows are tried with the first. */
const CLEAREST = [
  'encoding-not-base64url',
  'structure-not-json',
  'structure-empty-object',
  'public-key-missing',
  'signature-missing',
];

for (const row of malformedStamps)
  test(
    `a stamp that ${row.says} is malformed`,
    verifies(RULES[row.part]),
    async ({ given, check, need, profile }) => {
      const situation = await signedOperation('RETRY-CREDENTIAL-CREATE').prepare({ given, need, profile });
      for (const answer of await mistaken(need, situation, [mistakeOf(row)]))
        await check(RULES[row.part], () => expectMalformed(row, answer));
    },
  );

for (const { name, prepare } of signedOperations.slice(1))
  test(
    `${name}: a malformed stamp is told so`,
    verifies(...Object.values(RULES)),
    async ({ given, check, need, profile }) => {
      const situation = await prepare({ given, need, profile });
      const rows = malformedStamps.filter((row) => CLEAREST.includes(row.name));
      const answers = await mistaken(need, situation, rows.map(mistakeOf));
      for (const [at, answer] of answers.entries()) {
        const row = rows[at] as MalformedStamp;
        await check(RULES[row.part], () => expectMalformed(row, answer));
      }
    },
  );

function mistakeOf(row: MalformedStamp) {
  return {
    says: `with a stamp that ${row.says}`,
    bend: { stamp: row.make },
  };
}

function expectMalformed(row: MalformedStamp, answer: Answer): void {
  // Accepted though only a verification would have found it: that nothing is verified is another rule's matter.
  if (row.orElse === 'invalid' && answer.accepted) return;
  if (row.orElse === 'read' && answer.accepted) return;
  // A field that is there and cannot be used may be found only when the signature is verified.
  const laterFound =
    row.part === 'fields' && !row.name.endsWith('-missing') && !row.name.endsWith('-not-text');
  const orElse = row.orElse ? OR_ELSE[row.orElse] : laterFound ? OR_ELSE.invalid : MALFORMED;
  expectUnauthorized(answer, MALFORMED, orElse);
}
