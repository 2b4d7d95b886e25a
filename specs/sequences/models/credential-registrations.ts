import type { RetryChallenge } from '../../../client/signed-retry.ts';
import { chosen } from '../../../generators/steps.ts';
import { credentialRequests, expect, lower, succeeded, type Draft } from '../../../suite/index.ts';
import { unpadded } from '../../../suite/same-id.ts';
import type { CredentialModel, KnownSession } from './credential-model.ts';
import { GENERAL } from '../../support/credentials.ts';
import { RETRY_MISTAKES } from './retry-mistakes.ts';

/** Types whose logins cost a challenge each, and these are rate-limited. */
export const CODES = ['EMAIL_OTP', 'SMS_OTP'];

/** Which rule says that a second one is refused, and with which code. */
export const DUPLICATES = {
  EMAIL_OTP: ['CREDENTIAL-EMAIL-OTP-DUPLICATE', 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS'],
  SMS_OTP: ['CREDENTIAL-SMS-OTP-DUPLICATE', 'SMS_OTP_CREDENTIAL_ALREADY_EXISTS'],
  PASSKEY: ['CREDENTIAL-PASSKEY-DUPLICATE', 'PASSKEY_CREDENTIAL_ALREADY_EXISTS'],
} as const;

// -------------------------------------------------------------------------------------------- registrations

/** Registers a credential, and holds everything that the interface says of that. */
export async function register(model: CredentialModel, draft: Draft, by: KnownSession): Promise<void> {
  const label = `registering ${draft.type}`;
  const { first, challenge, retries, answer, credential } = await model.wallet.register(draft, by.session, {
    label,
  });
  model.on.told(first);
  first.tellFault();
  // What the body may want beside what is known is another matter.
  model.on.must(succeeded(first), 'the first call was refused');
  await model.on.hold('RETRY-CREDENTIAL-CREATE', () => expect(first).toHaveHttpStatus(202));
  await model.noteNew(model.on.must(challenge, 'the 202 gives nothing that can be signed'), first);
  if (retries.length > 0) model.on.told(answer);
  answer.tellFault();
  // A service may hold one identity of each provider: then this step leaves everything as it was.
  const holdsIdentity = model.alive().some((one) => one.credential.type === 'OAUTH');
  if (draft.type === 'OAUTH' && holdsIdentity && !succeeded(answer)) return;
  if (CODES.includes(draft.type)) model.on.must(succeeded(answer), 'the code was not registered');
  // Why one is refused after much has been done is for the specs that do one thing alone.
  model.on.must(succeeded(answer), 'the credential was not registered');
  await model.on.hold('CREDENTIAL-CREATE-ECHO', () => {
    const body = answer.body as { readonly accountId?: unknown; readonly type?: unknown };
    expect(body.type).toBe(draft.type);
    expect(lower(body.accountId)).toBe(lower(model.wallet.accountId));
  });
  const shown = (answer.body as { readonly nickname?: unknown }).nickname;
  if (draft.type === 'PASSKEY')
    await model.on.hold('CREDENTIAL-PASSKEY-ID-ECHO', () =>
      expect(unpadded((answer.body as { readonly credentialId?: unknown }).credentialId)).toBe(
        draft.passkey.credentialId,
      ),
    );
  if (draft.type === 'OAUTH')
    await model.on.hold('CREDENTIAL-OAUTH-NICKNAME', () => expect(shown).toBe(draft.identity.email), [
      answer,
    ]);
  if (draft.type === 'PASSKEY')
    await model.on.hold('CREDENTIAL-PASSKEY-NICKNAME', () => expect(shown).toBe(draft.body['nickname']), [
      answer,
    ]);
  model.credentials.push({
    credential: model.on.must(credential, 'the registered credential came without an id'),
    draft,
    alive: true,
  });
  model.used.push({
    request: { ...credentialRequests.register(draft.body), label },
    challenge: challenge as RetryChallenge,
    by: by.session,
  });
  await model.list('CREDENTIAL-CREATE-LISTED');
}

export async function registerCode(
  model: CredentialModel,
  type: 'EMAIL_OTP' | 'SMS_OTP',
  by: KnownSession,
): Promise<void> {
  if (!model.alive().some(({ credential }) => credential.type === type))
    await register(model, model.wallet.draftCode(type), by);
  return refusedAsDuplicate(model, model.wallet.draftCode(type), by);
}

export async function duplicate(model: CredentialModel, by: KnownSession, what: number): Promise<void> {
  if (!model.profile.capabilities.includes('passkey')) return;
  if (!model.alive().some(({ draft }) => draft?.type === 'PASSKEY'))
    await register(model, model.wallet.draftPasskey(), by);
  const passkey = chosen(
    model.alive().filter(({ draft }) => draft?.type === 'PASSKEY'),
    what,
  );
  if (passkey?.draft?.type !== 'PASSKEY') return;
  return refusedAsDuplicate(model, model.wallet.draftPasskey({ passkey: passkey.draft.passkey }), by);
}

async function refusedAsDuplicate(model: CredentialModel, draft: Draft, by: KnownSession): Promise<void> {
  const [rule, code] = DUPLICATES[draft.type as keyof typeof DUPLICATES];
  const { answer } = await model.wallet.register(draft, by.session, {
    label: `registering ${draft.type} a second time`,
  });
  model.on.told(answer);
  // Refused otherwise it may be for a field that the body wants, unless such a body was registered before.
  const isControlled = model.alive().some((one) => one.draft?.type === draft.type);
  if (CODES.includes(draft.type) && !succeeded(answer) && !isControlled)
    model.on.must((answer.body as { code?: unknown } | undefined)?.code === code, 'refused otherwise');
  await model.on.hold(rule, () => {
    expect(answer).toHaveHttpStatus(400);
    expect(answer).toHaveCode(code);
  });
  await model.list('CREDENTIAL-LIST-COMPLETE');
}

// ---------------------------------------------------------------------- registrations that are begun and not ended

export async function beginOnly(model: CredentialModel): Promise<void> {
  const request = await model.anyRequest('a wallet request that is only begun');
  const { first, challenge } = await model.wallet.begin(request);
  model.on.told(first);
  await model.noteNew(model.on.must(challenge, 'the 202 gives nothing that can be signed'), first);
  await model.list('RETRY-FIRST-CALL-CHANGES-NOTHING');
}

export async function mistakenRetry(model: CredentialModel, by: KnownSession, at: number): Promise<void> {
  const mistake = chosen(RETRY_MISTAKES, at) as (typeof RETRY_MISTAKES)[number];
  const request = await model.anyRequest(`a wallet request ${mistake.says}`);
  const { first, challenge } = await model.wallet.begin(request);
  model.on.told(first);
  const held = model.on.must(challenge, 'the 202 gives nothing that can be signed');
  const tamper = mistake.tampering(model.wallet, held.payloadToSign);
  if (!tamper) return;
  const answer = model.on.told(await model.wallet.retry(request, held, by.session, { tamper }));
  await model.on.hold(mistake.rule, () => mistake.expected(answer));
  await model.list('CREDENTIAL-LIST-COMPLETE');
}

export async function otherRequest(model: CredentialModel, by: KnownSession): Promise<void> {
  const doomed = model.alive().find((one) => one !== by.of);
  if (!doomed) return;
  const { first, challenge } = await model.wallet.begin(
    await model.anyRequest('a registration that is begun'),
  );
  model.on.told(first);
  const held = model.on.must(challenge, 'the 202 gives nothing that can be signed');
  const label = `revoking ${model.name(doomed)} with the requestId of the registration`;
  const answer = model.on.told(
    await model.wallet.retry({ ...credentialRequests.revoke(doomed.credential.id), label }, held, by.session),
  );
  await model.on.hold('RETRY-BOUND-TO-OPERATION', () => expect(answer).toBeRefused());
  await model.list('CREDENTIAL-LIST-COMPLETE');
}

export async function otherBody(model: CredentialModel, by: KnownSession): Promise<void> {
  const other = await model.wallet.usualDraft();
  const request = await model.anyRequest('a registration whose retry carries another credential');
  const { first, challenge } = await model.wallet.begin(request);
  model.on.told(first);
  const held = model.on.must(challenge, 'the 202 gives nothing that can be signed');
  const answer = model.on.told(await model.wallet.retry({ ...request, body: other.body }, held, by.session));
  await model.on.hold('RETRY-SAME-BODY', () =>
    expect(answer).toBeUnauthorized('WALLET_SIGNATURE_BODY_MISMATCH', GENERAL),
  );
  await model.list('CREDENTIAL-LIST-COMPLETE');
}

export async function usedAgain(model: CredentialModel, what: number): Promise<void> {
  const used = chosen(model.used, what);
  const signer = model.sessions.find(({ session }) => session === used?.by);
  // A session that has ended refuses for itself.
  if (!used || !signer || !model.signers().includes(signer)) return;
  const label = `${used.request.label ?? ''}, its requestId once more`;
  const answer = model.on.told(await model.wallet.retry({ ...used.request, label }, used.challenge, used.by));
  model.on.must(answer.exchange.response?.status !== 404, 'what the retry was about is not found any more');
  await model.on.hold('RETRY-REQUEST-ID-SINGLE-USE', () => expect(answer).toBeRefused(400, 401));
  await model.list('CREDENTIAL-LIST-COMPLETE');
}
