import { randomUUID } from 'node:crypto';
import type { RetryChallenge } from '../../client/signed-retry.ts';
import {
  expect,
  movesClock,
  sessionSigned,
  signedCases,
  signedOperation,
  signedOperations,
  succeeded,
  test,
  verifies,
  type Answer,
  type Check,
  type Given,
  type Mistake,
  type Observe,
  type SignedOperation,
  type Wallet,
} from '../../suite/index.ts';
import { changes, GENERAL, INVALID, mistake, needEnd } from '../support/credentials.ts';
import {
  invalidStamps,
  malformedStamps,
  type InvalidStamp,
  type MalformedStamp,
} from '../support/tampered-stamps.ts';

const ADDING = signedOperation('RETRY-CREDENTIAL-CREATE');
/** Its challenges are rate-limited, and each mistake may take one: so no wallet serves for many. */
const VERIFYING = signedOperation('RETRY-OTP-VERIFY');
const TYPES = ['OAUTH', 'PASSKEY', 'SMS_OTP'] as const;
/** Seconds beyond an end, for clocks that differ. */
const BEYOND_SECONDS = 60;
/** The other text of the 202; some target may give the same one as both. */
const SIGNS_REQUEST_ID: Mistake = {
  label: 'with a stamp that signs the requestId',
  tamper: { payload: (_, requestId) => requestId },
  isWrong: ({ payloadToSign, requestId }) => payloadToSign !== requestId,
};

const ALTERED = invalidStamps.filter(({ part }) => part === 'payload');
/** Of a login, whose challenges are rate-limited. */
const FEW_ALTERED = rows('payload-other', 'payload-line-end', 'payload-trimmed', 'payload-re-serialised');

const MALFORMED_RULES = [...new Set(malformedStamps.map(({ rule }) => rule))];
const MALFORMED = 'WALLET_SIGNATURE_MALFORMED';
/** What a target may call the stamp beside malformed, where the text leaves room. */
const OR_ELSE = {
  missing: 'WALLET_SIGNATURE_MISSING',
  invalid: INVALID,
  unverified: INVALID,
  read: INVALID,
} as const;
/** Tried with every operation; all rows are tried with the first. */
const CLEAREST = malformedStamps.filter(({ name }) =>
  ['encoding-not-base64url', 'structure-not-json', 'structure-empty-object', 'signature-missing'].includes(
    name,
  ),
);

/** What a retry breaks that is refused, and changes something all the same. */
const UNDONE = 'STAMP-INVALID';

/** One thing that is wrong in a retry, whatever the operation. */
interface Wrong {
  readonly rule: string;
  /** Follows the operation in the title. */
  readonly says: string;
  /** What is sent, each as one retry. */
  readonly mistakes: (
    wallet: Wallet,
    given: Given,
    operation: SignedOperation,
  ) => Promise<readonly Mistake[]> | readonly Mistake[];
  readonly refused: (answer: Answer) => void;
  /** Those with which it has a test of its own. */
  readonly operations?: readonly SignedOperation[];
  /** A login is signed by no session, so that this is not wrong there. */
  readonly bySession?: true;
  /** Whether wallet and sessions are other ones after it, so that each has a wallet of its own. */
  readonly changesSessions?: true;
  /** Whether it is tried in a session of each type, when a credential is added. */
  readonly everyType?: true;
  readonly movesClock?: true;
  /** The question that the answer is an observation of, and as what. */
  readonly question?: readonly [id: string, as?: string];
}

const noAuthority = (answer: Answer) => expect(answer).toBeRefused(401, 403);

const WRONG: readonly Wrong[] = [
  {
    rule: 'STAMP-MISSING',
    says: 'without the wallet signature is told so',
    mistakes: () => [{ label: 'with Request-Id and no signature', tamper: { stamp: null } }],
    refused: (answer) => expect(answer).toBeUnauthorized('WALLET_SIGNATURE_MISSING'),
  },
  {
    rule: 'RETRY-REQUEST-ID-MISSING',
    says: 'without Request-Id is told so',
    mistakes: () => [{ label: 'with a signature and no Request-Id', tamper: { requestId: null } }],
    refused: (answer) => expect(answer).toBeUnauthorized('REQUEST_ID_MISSING'),
  },
  {
    rule: 'RETRY-REQUEST-ID-UNKNOWN',
    says: 'with a Request-Id that was never issued is refused',
    mistakes: () => [
      { label: 'with an unknown Request-Id', tamper: { requestId: `Request:${randomUUID()}` } },
      { label: 'with a Request-Id that is none', tamper: { requestId: 'not-a-request-id' } },
    ],
    refused: (answer) => expect(answer).toBeRefused(),
    question: ['retry-foreign-request-id-answer'],
  },
  {
    rule: 'STAMP-INVALID',
    says: 'with a signature that does not verify is told so',
    everyType: true,
    // The key that the stamp names is a live session, and the signature beside it is not its own.
    mistakes: () => rows('key-other-signs', 'signature-flipped-bit').map(mistake),
    refused: (answer) => expect(answer).toBeUnauthorized(INVALID, GENERAL),
  },
  {
    rule: 'STAMP-ALTERED-BYTES-REFUSED',
    operations: [VERIFYING],
    says: 'with a stamp over other bytes than the payloadToSign is refused',
    mistakes: (wallet, _, operation) => [
      // Whatever the payload looks like, two of them change it.
      ...(operation === VERIFYING ? FEW_ALTERED : ALTERED).map((row) => ({
        ...mistake(row),
        isWrong: ({ payloadToSign }: RetryChallenge) => changes(row, payloadToSign, wallet),
      })),
      SIGNS_REQUEST_ID,
    ],
    refused: (answer) => expect(answer).toHaveHttpStatus(401),
    question: ['stamp-altered-payload-code'],
  },
  {
    rule: 'STAMP-UNKNOWN-KEY',
    says: 'with the stamp of a key that is no session is refused',
    bySession: true,
    mistakes: (wallet) => [{ label: 'signed by a key that is no session', tamper: { key: wallet.newKey() } }],
    refused: noAuthority,
  },
  {
    rule: 'STAMP-OTHER-ACCOUNT-SESSION',
    says: 'signed by a live session of another account is refused',
    bySession: true,
    everyType: true,
    mistakes: async ({ signer }, given) => {
      const { wallet: other, session } = await given.signedIn(signer.credential.type);
      await other.needSign(session, 'the same session on its own account');
      return [{ label: 'signed by a session of another account', tamper: { key: session.key } }];
    },
    refused: noAuthority,
    question: ['stamp-ended-session-code', 'of another account'],
  },
  {
    rule: 'STAMP-REVOKED-SESSION',
    says: 'signed by a revoked session is refused',
    operations: sessionSigned,
    changesSessions: true,
    everyType: true,
    mistakes: async (wallet) => {
      const { id, key } = await wallet.sessions.another();
      await wallet.needSign(key, 'a wallet request signed before the revocation');
      needEnd(wallet, await wallet.sessions.revoke(id, wallet.signer.session));
      return [{ label: 'signed by a revoked session', tamper: { key } }];
    },
    refused: noAuthority,
    question: ['stamp-ended-session-code', 'revoked'],
  },
  {
    rule: 'CREDENTIAL-REVOKE-ENDS-SESSIONS',
    says: 'signed by a session of a revoked credential is refused',
    operations: sessionSigned,
    changesSessions: true,
    mistakes: async (wallet) => {
      const doomed = await wallet.addCredential('registering a credential that is going to be revoked');
      const { key } = (await wallet.needLogin(doomed)).session;
      await wallet.needSign(key, 'a wallet request before the revocation');
      await wallet.needRevoke(doomed.id, wallet.signer.session);
      return [{ label: 'signed by a session of a revoked credential', tamper: { key } }];
    },
    refused: noAuthority,
  },
  {
    rule: 'STAMP-EXPIRED-SESSION',
    says: 'signed by an expired session is refused',
    // In a session of each type, see expiry.spec.ts.
    operations: sessionSigned.filter((one) => one !== ADDING),
    changesSessions: true,
    movesClock: true,
    mistakes: async (wallet, given) => {
      const { credential, session } = wallet.signer;
      await wallet.needSign(session, 'a wallet request before the session expires');
      await wallet.clock.letPass(Math.ceil(wallet.clock.secondsLeft(session)) + BEYOND_SECONDS);
      wallet.signWith(credential, await given.session(wallet, credential));
      return [{ label: 'signed by an expired session', tamper: { key: session.key } }];
    },
    refused: noAuthority,
    question: ['stamp-ended-session-code', 'expired'],
  },
];

/** One wallet is enough for them. */
const ON_ONE_WALLET = WRONG.filter(({ changesSessions }) => !changesSessions);

/** What is tried with each operation, and in a session of each type. */
const TOGETHER = [
  ...signedOperations
    .filter((one) => one !== VERIFYING)
    .map((operation) => ({
      operation,
      type: operation.signsInWith,
      name: operation.name,
      rows: ON_ONE_WALLET,
      malformed: CLEAREST,
    })),
  ...signedCases
    .filter(({ operation }) => operation === VERIFYING)
    .map(({ operation, signsInWith, name }) => ({
      operation,
      type: signsInWith,
      name,
      rows: ON_ONE_WALLET.filter(({ operations, bySession }) => !operations && !bySession),
      malformed: [],
    })),
  ...TYPES.map((type) => ({
    operation: ADDING,
    type,
    name: `${ADDING.name} in a session of ${type}`,
    rows: ON_ONE_WALLET.filter(({ everyType }) => everyType),
    malformed: [],
  })),
];

for (const { operation, type, name, rows: wrongRows, malformed } of TOGETHER)
  test(
    `${name}: a retry that is wrong in any way is refused`,
    verifies(...new Set([UNDONE, ...[...wrongRows, ...malformed].map(({ rule }) => rule)])),
    async ({ given, check, observe }) => {
      const judged = new Map<Mistake, (answer: Answer) => Promise<void>>();
      let { wallet } = await given.signedIn(type);
      for (const row of wrongRows)
        for (const wrong of await row.mistakes(wallet, given, operation))
          judged.set(wrong, (answer) => judge(row, answer, check, observe));
      for (const wrong of malformed.map(mistake))
        judged.set(wrong, (answer) => judgeMalformed(wrong.row, answer, check));
      const wrong = [...judged.keys()];
      const answers: Awaited<ReturnType<Wallet['mistakenRetries']>>[number][] = [];
      while (wrong.length > 0) {
        const made = await wallet.mistakenRetries(operation, wrong, (before, after) =>
          check(UNDONE, () => expect(after.value, 'after refused retries').toEqual(before.value), [
            after.answer,
          ]),
        );
        answers.push(...made);
        const last = made.at(-1);
        if (!last || !succeeded(last.answer)) break;
        // What was accepted has changed the wallet.
        wrong.splice(0, wrong.indexOf(last.mistake) + 1);
        ({ wallet } = await given.signedIn(type));
      }
      for (const { mistake: made, answer } of answers) await judged.get(made)?.(answer);
    },
  );

for (const row of WRONG)
  for (const { operation, type, name } of casesOf(row))
    test(
      `${name}: a retry ${row.says}`,
      row.movesClock ? movesClock(verifies(row.rule)) : verifies(row.rule),
      async ({ given, check, observe }) => {
        const { wallet } = await given.signedIn(type);
        const wrong = await row.mistakes(wallet, given, operation);
        for (const { answer } of await wallet.mistakenRetries(operation, wrong))
          await judge(row, answer, check, observe);
      },
    );

async function judge(
  { rule, refused, question }: Wrong,
  answer: Answer,
  check: Check,
  observe: Observe,
): Promise<void> {
  await check(rule, () => refused(answer));
  const [id, as] = question ?? [];
  if (id) observe(id, as === undefined ? answer : { [as]: answer.outcome }, answer);
}

/** Each operation that has a test of its own, and where that is asked for, adding a credential in sessions of other types. */
function casesOf({ operations = [], everyType, changesSessions }: Wrong) {
  const usual = operations.map((operation) => ({
    operation,
    type: operation.signsInWith,
    name: operation.name,
  }));
  if (!everyType || !changesSessions) return usual;
  const others = TYPES.map((type) => ({
    operation: ADDING,
    type,
    name: `${ADDING.name} in a session of ${type}`,
  }));
  return [...usual, ...others];
}

test(
  `${VERIFYING.name}: a malformed stamp is told so`,
  verifies(...MALFORMED_RULES),
  async ({ given, check }) => {
    const { wallet } = await given.signedIn(VERIFYING.signsInWith);
    for (const { mistake: made, answer } of await wallet.mistakenRetries(VERIFYING, CLEAREST.map(mistake)))
      await judgeMalformed(made.row, answer, check);
  },
);

for (const rule of MALFORMED_RULES) {
  const ofPart = malformedStamps.filter((row) => row.rule === rule);
  test(
    `a stamp is malformed that ${ofPart.map(({ says }) => says).join(', or ')}`,
    verifies(rule),
    async ({ given, check, observe }) => {
      let left = ofPart.map(mistake);
      while (left.length > 0) {
        const { wallet } = await given.signedIn();
        const made = await wallet.mistakenRetries(ADDING, left);
        for (const { mistake: wrong, answer } of made) {
          const { row } = wrong;
          if (row.orElse === 'read') observe('stamp-construction', { [row.name]: answer.outcome }, answer);
          if (!mayBeTaken(row, answer)) await judgeMalformed(row, answer, check);
        }
        left = left.slice(made.length);
      }
    },
  );
}

async function judgeMalformed(row: MalformedStamp, answer: Answer, check: Check): Promise<void> {
  await check(row.rule, () => expectMalformed(row, answer));
}

/** Accepted, and what is wrong leaves room for that. */
function mayBeTaken({ orElse }: MalformedStamp, { exchange }: Answer): boolean {
  return (exchange.response?.status ?? 0) < 300 && (orElse === 'read' || orElse === 'unverified');
}

function expectMalformed({ orElse }: MalformedStamp, answer: Answer): void {
  expect(answer).toBeUnauthorized(MALFORMED, GENERAL, orElse ? OR_ELSE[orElse] : MALFORMED);
}

function rows(...names: readonly string[]): readonly InvalidStamp[] {
  return invalidStamps.filter((row) => names.includes(row.name));
}
