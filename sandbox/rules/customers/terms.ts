import { isObject, type Json } from '../../core/json.ts';
import { Refusal, type Decision } from '../../core/refusal.ts';
import { ok, type Reply } from '../../core/reply.ts';
import type { World } from '../../core/world.ts';
import type { Customer } from '../../domain/customer.ts';
import { traitsOf } from '../../domain/traits.ts';

/** Version of the end-user terms in force. */
export function currentTerms(_world: World): string {
  return '2026-08-01';
}

/** Versions that a customer may have accepted. */
export function termsSupported(world: World, version: string): boolean {
  return version === world.rules.currentTerms(world) || version === '2026-02-01';
}

/** Consent to a version that is not supported is none. */
export function consentFits(world: World, consent: Json | undefined): Decision {
  if (!isObject(consent) || world.rules.termsSupported(world, String(consent['termsVersion'])))
    return undefined;
  return world.rules.refuseTermsVersion(world, String(consent['termsVersion']));
}

export function refuseTermsVersion(_world: World, version: string): Refusal {
  return new Refusal(
    400,
    'END_USER_TERMS_VERSION_NOT_FOUND',
    `There is no version ${version} of the end-user terms.`,
  );
}

/** The acceptance is on file from now on. */
export function recordConsent(world: World, customer: Customer, consent: Json | undefined): void {
  if (isObject(consent)) traitsOf(world, customer.id).hasAcceptedTerms = true;
}

export function presentTerms(world: World): Reply {
  const version = world.rules.currentTerms(world);
  return ok({ version, url: `https://terms.sandbox.example/${version}` });
}
