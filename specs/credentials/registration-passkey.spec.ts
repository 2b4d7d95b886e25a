import { randomBytes } from 'node:crypto';
import { tamperedRegistrations } from '../../client/crypto/index.ts';
import {
  credentialRequests,
  entriesOf,
  idsOf,
  expect,
  lower,
  succeeded,
  test,
  verifies,
  type Answer,
  type Credential,
} from '../../suite/index.ts';
import { listUntil } from '../support/credential-lists.ts';
import { unpadded } from '../../suite/same-id.ts';

/** Which sentence of the interface each wrong registration breaks; the others are about things it does not speak of. */
const RULE: Readonly<Record<string, string>> = {
  'challenge-other': 'PASSKEY-REGISTRATION-CHALLENGE',
  'rp-id-other': 'PASSKEY-REGISTRATION-DOMAIN',
  'credential-id-other': 'PASSKEY-REGISTRATION-ATTESTATION',
  'attestation-object-not-cbor': 'PASSKEY-REGISTRATION-ATTESTATION',
  'attestation-object-truncated': 'PASSKEY-REGISTRATION-ATTESTATION',
};

test(
  'a passkey keeps its WebAuthn credentialId and its nickname',
  verifies('CREDENTIAL-PASSKEY-ID-ECHO', 'CREDENTIAL-PASSKEY-NICKNAME'),
  async ({ given, check, need }) => {
    const { wallet, session } = await given.signedIn();
    const registration = await wallet.register(wallet.draftPasskey({ nickname: 'Kitchen laptop' }), session);
    const { answer } = registration;
    const credential = need.registered(registration);
    await check('CREDENTIAL-PASSKEY-ID-ECHO', () =>
      expect(unpadded(answer.body.credentialId)).toBe(credential.passkey.credentialId),
    );
    await check('CREDENTIAL-PASSKEY-NICKNAME', () => expect(answer.body.nickname).toBe('Kitchen laptop'));
    const list = await listUntil(wallet, (seen) => idsOf(seen).includes(lower(credential.id)));
    need(list).accepted();
    const entry = () => entriesOf(list).find((one) => lower(one.id) === lower(credential.id));
    need.that(entry(), 'the passkey is not in the list');
    await check('CREDENTIAL-PASSKEY-ID-ECHO', () =>
      expect(unpadded(entry()?.credentialId)).toBe(credential.passkey.credentialId),
    );
    await check('CREDENTIAL-PASSKEY-NICKNAME', () => expect(entry()?.nickname).toBe('Kitchen laptop'));
  },
);

test(
  'one account holds several passkeys',
  verifies('CREDENTIAL-PASSKEY-SEVERAL'),
  async ({ given, check, need }) => {
    const { wallet, session } = await given.signedIn();
    const held: Credential[] = [];
    for (const number of [1, 2, 3]) {
      const registration = await wallet.register(
        wallet.draftPasskey({ nickname: `Passkey ${number}` }),
        session,
      );
      // The first one may fail for reasons of its own, which another rule tells.
      if (number > 1)
        await check('CREDENTIAL-PASSKEY-SEVERAL', () => expect(registration.answer).toBeAccepted());
      held.push(need.registered(registration));
    }
    // Later than all registrations: a login may end the session that signs them.
    await wallet.mustLogin(held.at(-1) as Credential);
    for (const credential of held.slice(0, -1)) {
      const login = await wallet.attempt(credential, {
        label: 'logging in with an earlier one of three passkeys',
      });
      await check('CREDENTIAL-PASSKEY-SEVERAL', () => expect(login.answer).toBeAccepted());
    }
  },
);

test(
  'the same passkey a second time on one account is refused',
  verifies('CREDENTIAL-PASSKEY-DUPLICATE'),
  async ({ given, check, need, observe }) => {
    const { wallet, session } = await given.signedIn();
    const { passkey } = await wallet.mustRegister('PASSKEY', session);
    need(
      (await wallet.register('PASSKEY', session, { label: 'registering another passkey' })).answer,
    ).accepted();
    const twice = await wallet.register(wallet.draftPasskey({ passkey }), session, {
      label: 'registering the same passkey again',
    });
    const renamed = await wallet.register(
      wallet.draftPasskey({ passkey, nickname: 'Another nickname' }),
      session,
      { label: 'registering the same passkey under another nickname' },
    );
    await check('CREDENTIAL-PASSKEY-DUPLICATE', () => {
      for (const { answer } of [twice, renamed]) {
        expect(answer).toHaveHttpStatus(400);
        expect(answer).toHaveCode('PASSKEY_CREDENTIAL_ALREADY_EXISTS');
      }
    });
    observe(
      'duplicate-refused-at',
      twice.retries.length > 0 ? 'the signed retry' : 'the first call',
      twice.answer,
    );
  },
);

test(
  'of two registrations of one passkey, both begun before either is completed, one at most goes through',
  verifies('CREDENTIAL-PASSKEY-DUPLICATE'),
  async ({ given, check, need }) => {
    const { wallet, session } = await given.signedIn();
    const { passkey } = wallet.draftPasskey();
    const begun = [];
    for (const which of ['first', 'second']) {
      const { body } = wallet.draftPasskey({ passkey });
      const request = {
        ...credentialRequests.register(body),
        label: `the ${which} registration of one passkey`,
      };
      const challenge = need.challenged(await wallet.signed(request, session, { times: 0 }));
      begun.push(() => wallet.retry(request, challenge, session));
    }
    const answers: Answer[] = [];
    for (const complete of begun) answers.push(await complete());
    need.that(answers.some(succeeded), 'neither of the registrations went through');
    await check(
      'CREDENTIAL-PASSKEY-DUPLICATE',
      () => expect(answers.filter(succeeded).length, 'registrations of one passkey on one account').toBe(1),
      answers,
    );
  },
);

test('whether a passkey may stand on two accounts', async ({ given, observe }) => {
  const { wallet, session } = await given.signedIn();
  const { passkey } = await wallet.mustRegister('PASSKEY', session);
  const other = await given.signedIn();
  const there = await other.wallet.register(other.wallet.draftPasskey({ passkey }), other.session, {
    label: 'registering the same passkey on another account',
  });
  observe('passkey-of-another-account', there.answer);
});

for (const row of tamperedRegistrations) {
  const rule = RULE[row.name];
  if (rule === undefined) continue;
  test(
    `a passkey registration is refused that ${row.says}`,
    verifies(rule),
    async ({ given, check, need }) => {
      const { wallet, session } = await given.signedIn();
      need((await wallet.register('PASSKEY', session, { label: 'a good registration' })).answer).accepted();
      const wrong = await wallet.register(
        wallet.draftPasskey({ register: (passkey, challenge) => row.make(passkey, challenge) }),
        session,
        { label: `a registration that ${row.says}` },
      );
      await check(rule, () => expect(wrong.answer).toBeRefused());
    },
  );
}

/** Both characters that base64url has and base64 has not: a decoder of the other alphabet gets other bytes, or none. */
const WITH_BOTH = Buffer.from([0xfb, 0xff, 0xbf, ...randomBytes(13)]).toString('base64url');

test(
  'byte values of a passkey are taken as base64url',
  verifies('PASSKEY-BYTES-BASE64URL'),
  async ({ given, check, need }) => {
    const { wallet, session } = await given.signedIn();
    need((await wallet.register('PASSKEY', session, { label: 'a good registration' })).answer).accepted();
    const passkey = wallet.newPasskey({ credentialId: WITH_BOTH });
    const registration = await wallet.register(wallet.draftPasskey({ passkey }), session, {
      label: 'a registration whose credentialId holds - and _',
    });
    await check('PASSKEY-BYTES-BASE64URL', () => expect(registration.answer).toBeAccepted());
    const login = await wallet.attempt(need.registered(registration));
    await check('PASSKEY-BYTES-BASE64URL', () => expect(login.answer).toBeAccepted());
  },
);

test('whether characters that base64url has not are dropped', async ({ given, observe }) => {
  const { wallet, session } = await given.signedIn();
  for (const field of ['credentialId', 'clientDataJson', 'attestationObject'] as const) {
    const draft = wallet.draftPasskey({
      register: (passkey, challenge) => {
        const good = passkey.register(challenge);
        return {
          ...good,
          attestation: { ...good.attestation, [field]: withStrayCharacter(good.attestation[field]) },
        };
      },
    });
    const { answer } = await wallet.register(draft, session, {
      label: `a registration whose ${field} is not base64url`,
    });
    observe('passkey-stray-characters', { [field]: answer.outcome }, answer);
  }
  await wallet.mustSign(session);
});

/**
 * A base64url text with one character that base64url has not, put in so that a decoder which drops such characters gets the
 * right bytes all the same.
 */
function withStrayCharacter(base64url: string): string {
  return `${base64url.slice(0, 4)}%${base64url.slice(4)}`;
}
