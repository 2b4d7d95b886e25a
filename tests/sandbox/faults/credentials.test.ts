import { randomUUID } from 'node:crypto';
import { credentialFaults } from '../../../sandbox/faults/index.ts';
import { Key } from '../support/mini/key.ts';
import { Passkey } from '../support/mini/passkey.ts';
import {
  expect,
  test,
  token,
  nonceOf,
  type Answer,
  type Step,
  type Wallets,
} from '../support/mini/wallet.ts';

const accepted = ({ status }: Answer): boolean => status < 300;

/** Faults that need more than one line to be seen; each probe says whether the breach shows. */
const probes: Record<string, (at: Wallets) => Promise<boolean>> = {
  'first-credentials-race': async (at) => {
    const wallet = await at.open();
    const steps = [wallet.passkeyStep(new Passkey()), wallet.passkeyStep(new Passkey())];
    const answers = await Promise.all(steps.map((step) => at.send(step)));
    return answers.every(({ status }) => status === 201);
  },
  'otp-duplicates-race': async (at) => {
    const wallet = await at.open('EMAIL_OTP');
    const { key } = await wallet.loginByCode();
    const step: Step = {
      method: 'POST',
      path: '/auth/credentials',
      body: { type: 'SMS_OTP', accountId: wallet.accountId },
    };
    const firsts = [await at.send(step), await at.send(step)];
    return (await Promise.all(firsts.map((first) => wallet.retry(step, first, key)))).every(accepted);
  },
  'revocations-race': async (at) => {
    const wallet = await at.open('EMAIL_OTP', 'SMS_OTP');
    const keys = [
      (await wallet.loginByCode(wallet.credentials[1])).key,
      (await wallet.loginByCode(wallet.credentials[0])).key,
    ];
    const steps = wallet.credentials.map(({ id }): Step => ({
      method: 'DELETE',
      path: `/auth/credentials/${id}`,
    }));
    const firsts = await Promise.all(steps.map((step) => at.send(step)));
    await Promise.all(steps.map((step, which) => wallet.retry(step, firsts[which]!, keys[which]!)));
    return (await wallet.list()).length === 0;
  },
  'retries-race': async (at) => {
    const wallet = await at.open('EMAIL_OTP');
    const { key } = await wallet.loginByCode();
    const counts = [];
    for (const step of [wallet.oauthStep(), wallet.privacyStep()]) {
      const first = await at.send(step);
      const answers = await Promise.all([1, 2, 3].map(() => wallet.retry(step, first, key)));
      counts.push(answers.filter(accepted).length, (await wallet.retry(step, first, key)).status);
    }
    return JSON.stringify(counts) === '[3,401,3,401]';
  },
  'request-id-reusable': async (at) => {
    const wallet = await at.open('EMAIL_OTP');
    const { key } = await wallet.loginByCode();
    const step = wallet.privacyStep();
    const first = await at.send(step);
    const atOnce = await Promise.all([wallet.retry(step, first, key), wallet.retry(step, first, key)]);
    return atOnce.filter(accepted).length === 1 && accepted(await wallet.retry(step, first, key));
  },
  'request-id-never-issued': async (at) => {
    const wallet = await at.open('EMAIL_OTP');
    const { key } = await wallet.loginByCode();
    const first = await at.send(wallet.privacyStep());
    const made = { ...first, body: { ...first.body, requestId: `Request:${randomUUID()}` } };
    return accepted(await wallet.retry(wallet.privacyStep(), made, key));
  },
  'request-id-of-any-account': async (at) => {
    const [wallet, other] = [await at.open('EMAIL_OTP'), await at.open('EMAIL_OTP')];
    const { key } = await wallet.loginByCode();
    const byPath = accepted(
      await wallet.retry(other.privacyStep(), await at.send(wallet.privacyStep()), key),
    );
    const step = wallet.oauthStep();
    const foreign = { ...step, body: { ...(step.body as object), accountId: other.accountId } };
    return byPath && accepted(await wallet.retry(foreign, await at.send(step), key));
  },
  'request-id-of-any-operation': async (at) => {
    const wallet = await at.open('EMAIL_OTP');
    const { key } = await wallet.loginByCode();
    return accepted(await wallet.retry(wallet.oauthStep(), await at.send(wallet.privacyStep()), key));
  },
  'request-id-optional': async (at) => {
    const wallet = await at.open('EMAIL_OTP');
    const { key } = await wallet.loginByCode();
    const { body } = await at.send(wallet.privacyStep());
    return accepted(
      await at.send(wallet.privacyStep(), { 'service-wallet-signature': key.stamp(body.payloadToSign) }),
    );
  },
  'signature-optional': async (at) => {
    const wallet = await at.open('EMAIL_OTP');
    const { body } = await at.send(wallet.privacyStep());
    return accepted(await at.send(wallet.privacyStep(), { 'request-id': body.requestId }));
  },
  'first-call-registers': async (at) => {
    const wallet = await at.open('EMAIL_OTP');
    return (await at.send(wallet.oauthStep())).status === 202 && (await wallet.list()).length === 2;
  },
  'revoked-credential-logs-in': async (at) => {
    const wallet = await at.open('EMAIL_OTP', 'SMS_OTP');
    const { key } = await wallet.loginByCode(wallet.credentials[0]);
    const revoked = wallet.credentials[1]!;
    await wallet.signed({ method: 'DELETE', path: `/auth/credentials/${revoked.id}` }, key);
    return (await wallet.list()).length === 1 && (await wallet.loginByCode(revoked)).session !== undefined;
  },
  'removed-email-otp-counts': async (at) => {
    const wallet = await at.open('EMAIL_OTP', 'SMS_OTP');
    const { key } = await wallet.loginByCode(wallet.credentials[1]);
    await wallet.signed({ method: 'DELETE', path: `/auth/credentials/${wallet.credentials[0]!.id}` }, key);
    return (
      (await at.post('/auth/credentials', { type: 'EMAIL_OTP', accountId: wallet.accountId })).status === 400
    );
  },
  'unreadable-bundle-accepted': async (at) => {
    const wallet = await at.open('EMAIL_OTP');
    const { id, type } = wallet.credentials[0]!;
    await wallet.challengeOtp(id);
    const step: Step = {
      method: 'POST',
      path: `/auth/credentials/${id}/verify`,
      body: { type, encryptedOtpBundle: 'garbage' },
    };
    return accepted(await wallet.retry(step, await at.send(step), new Key()));
  },
  'passkey-of-any-credential': async (at) => {
    const wallet = await at.open();
    const [mine, other] = [new Passkey(), new Passkey()];
    const { body } = await at.send(wallet.passkeyStep(mine));
    const { key } = await wallet.loginByPasskey(body.id, mine);
    await wallet.signed(wallet.passkeyStep(other), key);
    return accepted((await wallet.loginByPasskey(body.id, other)).answer);
  },
  'passkey-challenge-reusable': async (at) => {
    const wallet = await at.open();
    const passkey = new Passkey();
    const { body } = await at.send(wallet.passkeyStep(passkey));
    const { body: challenge } = await at.post(`/auth/credentials/${body.id}/challenge`, {
      clientPublicKey: new Key().uncompressed,
    });
    const verify = { type: 'PASSKEY', assertion: passkey.assert(challenge.challenge) };
    const send = () =>
      at.post(`/auth/credentials/${body.id}/verify`, verify, { 'request-id': challenge.requestId });
    return accepted(await send()) && accepted(await send());
  },
  'passkey-signature-unchecked': async (at) => {
    const wallet = await at.open();
    const passkey = new Passkey();
    const { body } = await at.send(wallet.passkeyStep(passkey));
    return accepted((await wallet.loginByPasskey(body.id, passkey, { key: new Key() })).answer);
  },
  'malformed-token-read': async (at) => {
    const wallet = await at.open();
    const { body } = await at.send(wallet.oauthStep({ sub: 'me' }));
    const clientPublicKey = new Key().uncompressed;
    const good = token({ sub: 'me', nonce: nonceOf(clientPublicKey) });
    const oidcToken = good.split('.').slice(0, 2).join('.');
    return accepted(
      await at.post(`/auth/credentials/${body.id}/verify`, { type: 'OAUTH', oidcToken, clientPublicKey }),
    );
  },
  'token-age-in-minutes': async (at) => {
    const wallet = await at.open();
    const { body } = await at.send(wallet.oauthStep({ sub: 'me' }));
    const login = (iat: number) =>
      wallet.loginByToken(body.id, { sub: 'me', iat: Math.floor(Date.now() / 1000) - iat });
    return accepted((await login(300)).answer) && !accepted((await login(900)).answer);
  },
  'refreshed-session-dead': async (at) => {
    const wallet = await at.open('EMAIL_OTP');
    const { key, session } = await wallet.loginByCode();
    const client = new Key();
    const path = `/auth/sessions/${session.id}/refresh`;
    const { body } = await wallet.signed(
      { method: 'POST', path, body: { clientPublicKey: client.uncompressed } },
      key,
    );
    return !accepted(
      await wallet.signed(wallet.privacyStep(), client.openSessionKey(body.encryptedSessionSigningKey)),
    );
  },
};

for (const [name, isBroken] of Object.entries(probes)) {
  test(`${name} is a breach, and the default world has it not`, async ({ wallets }) => {
    expect(credentialFaults.map((fault) => fault.name)).toContain(name);
    expect(await isBroken(wallets(`fault.${name}`))).toBe(true);
    expect(await isBroken(wallets()).catch(() => false)).toBe(false);
  });
}
