import type { Credential, Need, Registration, WalletSession } from '../../../suite/index.ts';

/** A value that the rest of the test stands on; without it nothing is proved and nobody accused. */
export function mustHave<T>(need: Need, value: T | undefined | null, otherwise: string): T {
  need.that(value !== undefined && value !== null, otherwise);
  return value as T;
}

/** The id of a session, which the interface promises for one-time codes alone. */
export function mustHaveId(need: Need, session: WalletSession): string {
  return need.offered(session.id, 'the session came without an id');
}

/** The credential of a registration that went through. */
export function mustRegister(need: Need, registration: Registration): Credential {
  need(registration.answer).accepted();
  return mustHave(need, registration.credential, 'the registered credential came without an id');
}

/** The same, of a passkey. */
export function mustRegisterPasskey(
  need: Need,
  registration: Registration,
): Extract<Credential, { type: 'PASSKEY' }> {
  return mustRegister(need, registration) as Extract<Credential, { type: 'PASSKEY' }>;
}
