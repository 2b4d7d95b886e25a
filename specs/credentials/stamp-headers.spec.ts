import { randomUUID } from 'node:crypto';
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
import { MALFORMED_RULES } from '../support/credentials.ts';

const ADDING = signedOperation('RETRY-CREDENTIAL-CREATE');
const unknownId = () => `Request:${randomUUID()}`;

const MALFORMED = 'WALLET_SIGNATURE_MALFORMED';
/** What a target may call the stamp beside malformed, where the text leaves room. */
const OR_ELSE = {
  missing: 'WALLET_SIGNATURE_MISSING',
  invalid: 'WALLET_SIGNATURE_INVALID',
  unverified: 'WALLET_SIGNATURE_INVALID',
  read: 'WALLET_SIGNATURE_INVALID',
} as const;
/** Tried with every operation; all rows are tried with the first. */
const CLEAREST = malformedStamps.filter(({ name }) =>
  ['encoding-not-base64url', 'structure-not-json', 'structure-empty-object', 'signature-missing'].includes(
    name,
  ),
);

for (const operation of signedOperations) {
  test(
    `${operation.name}: a retry without the wallet signature is told so`,
    verifies('STAMP-MISSING'),
    async ({ given, check }) => {
      const { wallet } = await given.signedIn(operation.signsInWith);
      const unsigned = await wallet.signedRetry(operation, {
        label: 'with Request-Id and no signature',
        tamper: { stamp: null },
      });
      await wallet.mustComplete(operation);
      await check('STAMP-MISSING', () =>
        expect(unsigned.answer).toBeUnauthorized('WALLET_SIGNATURE_MISSING'),
      );
    },
  );

  test(
    `${operation.name}: a retry without Request-Id is told so`,
    verifies('RETRY-REQUEST-ID-MISSING'),
    async ({ given, check }) => {
      const { wallet } = await given.signedIn(operation.signsInWith);
      const unnamed = await wallet.signedRetry(operation, {
        label: 'with a signature and no Request-Id',
        tamper: { requestId: null },
      });
      await wallet.mustComplete(operation);
      await check('RETRY-REQUEST-ID-MISSING', () =>
        expect(unnamed.answer).toBeUnauthorized('REQUEST_ID_MISSING'),
      );
    },
  );

  test(
    `${operation.name}: a retry with a Request-Id that was never issued is refused`,
    verifies('RETRY-REQUEST-ID-UNKNOWN'),
    async ({ given, check, observe }) => {
      const { wallet } = await given.signedIn(operation.signsInWith);
      const answers = await wallet.mistakenRetries(operation, [
        { label: 'with an unknown Request-Id', tamper: { requestId: unknownId() } },
        { label: 'with a Request-Id that is none', tamper: { requestId: 'not-a-request-id' } },
      ]);
      await wallet.mustComplete(operation);
      for (const answer of answers) {
        await check('RETRY-REQUEST-ID-UNKNOWN', () => expect(answer).toBeRefused());
        observe('retry-foreign-request-id-answer', answer);
      }
    },
  );
}

test(
  'what a failed retry leaves behind',
  verifies('STAMP-MISSING'),
  async ({ given, check, need, observe }) => {
    const { wallet } = await given.signedIn();
    const prepared = await wallet.prepare(ADDING);
    const request = need.that(prepared.request, 'there is no request to send');
    const failed = await wallet.signedRetry(prepared, {
      label: 'with Request-Id and no signature',
      tamper: { stamp: null },
    });
    const right = await wallet.retry(request, failed.challenge, prepared.key);
    observe(
      'retry-failed-attempt',
      right.exchange.response?.status === 201 ? 'its requestId still serves' : 'its requestId is used up',
      failed.answer,
      right,
    );
    await wallet.mustComplete(ADDING);
    await check('STAMP-MISSING', () => expect(failed.answer).toBeRefused());
  },
);

test('which of two mistakes is named first, and how long a retry is open', async ({ given, observe }) => {
  const { wallet } = await given.signedIn();
  const { first } = await (await wallet.prepare(ADDING)).send({ times: 0 });
  const both = await (
    await wallet.prepare(ADDING)
  ).send({
    label: 'with a malformed signature and an unknown Request-Id',
    tamper: { stamp: () => '%%%', requestId: unknownId() },
  });
  observe('stamp-both-mistakes', both.answer);
  const seconds = (Date.parse(String(first.body?.expiresAt)) - wallet.clock.now().getTime()) / 1_000;
  observe('retry-window', `${Math.round(seconds)} s`, first);
  await wallet.mustComplete(ADDING);
});

for (const row of malformedStamps)
  test(
    `a stamp that ${row.says} is malformed`,
    verifies(MALFORMED_RULES[row.part]),
    async ({ given, check, observe }) => {
      const { wallet } = await given.signedIn();
      const { answer } = await wallet.signedRetry(ADDING, mistake(row));
      await wallet.mustComplete(ADDING);
      if (row.orElse === 'read') observe('stamp-construction', { [row.name]: answer.outcome }, answer);
      if (!mayBeTaken(row, answer))
        await check(MALFORMED_RULES[row.part], () => expectMalformed(row, answer));
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

/** Accepted, and what is wrong leaves room for that. */
function mayBeTaken({ orElse }: MalformedStamp, { exchange }: Answer): boolean {
  return (exchange.response?.status ?? 0) < 300 && (orElse === 'read' || orElse === 'unverified');
}

function expectMalformed({ orElse }: MalformedStamp, answer: Answer): void {
  expect(answer).toBeUnauthorized(MALFORMED, orElse ? OR_ELSE[orElse] : MALFORMED);
}
