import { badOtpBundles, readOtpTargetBundle, sealOtpBundle } from '../../client/crypto/index.ts';
import { expect, loggingIn, test, verifies } from '../../suite/index.ts';

/** Which sentence each wrong bundle breaks; the others are about things that the interface does not speak of. */
function ruleOf(name: string, part: string): string | undefined {
  if (part === 'form' || name === 'ciphertext-tampered' || name === 'ciphertext-in-clear')
    return 'VERIFY-EMAIL-OTP-UNREADABLE';
  if (name === 'sealed-to-another-key') return 'VERIFY-EMAIL-OTP-OTHER-TARGET';
  if (name === 'plaintext-without-code') return 'VERIFY-EMAIL-OTP-WRONG-CODE';
  return undefined;
}

for (const row of badOtpBundles) {
  const rule = ruleOf(row.name, row.part);
  if (rule === undefined) continue;
  test(
    `an encryptedOtpBundle is refused that ${row.says}`,
    verifies(rule),
    async ({ given, check, need }) => {
      const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
      const credential = wallet.prepared('EMAIL_OTP');
      await wallet.mustLogin(credential);
      const login = await wallet.login(credential, {
        seal: (...parts) => row.make(...parts),
        label: `verifying with a bundle that ${row.says}`,
      });
      need.reachedVerify(login);
      await check(rule, () => expect(login.answer).toBeRefused());
    },
  );
}

for (const { says, value } of [
  { says: 'missing', value: undefined },
  { says: 'a number', value: 1 },
  { says: 'an object and not JSON text', value: { encappedPublic: '04', ciphertext: '00' } },
])
  test(
    `an encryptedOtpBundle is refused that is ${says}`,
    verifies('VERIFY-EMAIL-OTP-UNREADABLE'),
    async ({ given, check, need }) => {
      const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
      const credential = wallet.prepared('EMAIL_OTP');
      await wallet.mustLogin(credential);
      const login = await wallet.login(credential, {
        verify: (request) => ({
          ...request,
          label: `verifying with a bundle that is ${says}`,
          body: { type: credential.type, encryptedOtpBundle: value },
        }),
      });
      need.reachedVerify(login);
      await check('VERIFY-EMAIL-OTP-UNREADABLE', () => expect(login.answer).toBeRefused());
    },
  );

/** One service may have a ring of keys, each of which opens every bundle. */
test("whether a bundle sealed to the key of another account's challenge opens", async ({
  given,
  need,
  observe,
}) => {
  const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
  const credential = wallet.prepared('EMAIL_OTP');
  await wallet.mustLogin(credential);
  const other = await given.wallet({ credentials: ['EMAIL_OTP'] });
  const foreign = await other.challenge(other.prepared('EMAIL_OTP'), {
    label: "the other account's challenge",
  });
  need(foreign).accepted();
  const target: unknown = foreign.body.otpEncryptionTargetBundle;
  const own = await wallet.challenge(credential);
  need(own).accepted();
  need.offered(
    targetKey(own.body.otpEncryptionTargetBundle) !== targetKey(target),
    'the target has one key for all challenges',
  );
  const login = await wallet.login(credential, {
    challenge: own,
    seal: (_, proof, form) => sealOtpBundle(target, proof, form),
  });
  need.reachedVerify(login);
  observe('otp-bundle-old', { "of another account's challenge": login.answer.outcome }, login.answer);
});

test(
  'the newest challenge serves, whatever becomes of the ones before',
  verifies('VERIFY-EMAIL-OTP-ACCEPTED'),
  async ({ given, check, need, observe }) => {
    const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
    const credential = wallet.prepared('EMAIL_OTP');
    const old = await wallet.challenge(credential);
    const fresh = await wallet.challenge(credential);
    need(old).accepted();
    need(fresh).accepted();
    observe('otp-bundle-old', (await wallet.login(credential, { challenge: old })).answer);
    const newest = await wallet.challenge(credential);
    const login = await wallet.login(credential, { challenge: newest });
    need.reachedVerify(login);
    await check('VERIFY-EMAIL-OTP-ACCEPTED', () => expect(login.answer).toBeAccepted(), {
      assumes: loggingIn.EMAIL_OTP,
    });
  },
);

function targetKey(bundle: unknown): string | undefined {
  try {
    return readOtpTargetBundle(bundle).targetPublic;
  } catch {
    return undefined;
  }
}
