import { credentialChoices } from '../../../sandbox/variants/credentials.ts';
import { signedRetryChoices } from '../../../sandbox/variants/credentials-signed-retry.ts';
import { Key } from '../support/mini/key.ts';
import { Passkey } from '../support/mini/passkey.ts';
import { expect, test } from '../support/mini/wallet.ts';

const options = [...credentialChoices, ...signedRetryChoices].flatMap(({ name, options }) =>
  Object.keys(options).map((option) => `${name}-is-${option}`),
);
const seeds = Array.from({ length: 12 }, (_, seed) => `seed-${seed}`);

for (const name of [...options, ...seeds]) {
  test(`${name}: a client that reads nothing into the answers gets through`, async ({ wallets }) => {
    const wallet = await wallets(`variant.${name}`).open('EMAIL_OTP', 'SMS_OTP');
    const email = await wallet.loginByCode(wallet.credentials[0]);
    const passkey = new Passkey();
    const registered = await wallet.signed(wallet.passkeyStep(passkey), email.key);
    expect(registered.status, JSON.stringify(registered.body)).toBe(201);
    const byPasskey = await wallet.loginByPasskey(registered.body.id, passkey);
    expect(byPasskey.answer.status).toBe(200);
    const oauth = await wallet.signed(wallet.oauthStep({ sub: 'me' }), byPasskey.key);
    const byToken = await wallet.loginByToken(oauth.body.id, { sub: 'me' });
    expect((await wallet.signed(wallet.privacyStep(), byToken.key)).status).toBe(200);
    const forged = await wallet.signed(wallet.privacyStep(), new Key());
    expect([401, 403]).toContain(forged.status);
    const revocation = { method: 'DELETE', path: `/auth/credentials/${wallet.credentials[1]!.id}` } as const;
    expect((await wallet.signed(revocation, byToken.key)).status).toBe(204);
    expect(await wallet.list()).toHaveLength(3);
    const client = new Key();
    const path = `/auth/sessions/${email.session.id}/refresh`;
    const refreshed = await wallet.signed(
      { method: 'POST', path, body: { clientPublicKey: client.uncompressed } },
      email.key,
    );
    const fresh = client.openSessionKey(refreshed.body.encryptedSessionSigningKey);
    expect((await wallet.signed(wallet.privacyStep(false), fresh)).status).toBe(200);
  });
}
