import { CannotPrepare, type StateValues } from '../state-provider.ts';
import { soon } from './soon.ts';
import { type Json, type Steps, USER_IP } from './steps.ts';

const NOT_ACCEPTED = 'END_USER_TERMS_NOT_ACCEPTED';
/** So long ago that it is past by the target's clock too, in milliseconds. */
const A_WHILE_MS = 300_000;

/**
 * Puts the acceptance of the current end-user terms on file. Where a target has no terms, nobody has to accept them.
 *
 * @returns the version of the terms, where the target tells it
 */
export async function terms(
  steps: Steps,
  customerId: string,
  accepted: boolean,
): Promise<string | undefined> {
  if (!accepted && 'endUserTermsConsent' in (steps.profile.dialect.bodies['createCustomer'] ?? {}))
    throw new CannotPrepare("the profile's dialect.bodies.createCustomer accepts the end-user terms");
  const version = await currentVersion(steps);
  if (version === undefined && !accepted)
    throw new CannotPrepare('the target tells no version of its end-user terms');
  if (version === undefined || !accepted) return version;
  await steps.attempt('updateCustomer', {
    label: 'preparing: recording the acceptance of the end-user terms',
    path: { customerId },
    body: steps.body('updateCustomer', {
      customerType: 'INDIVIDUAL',
      endUserTermsConsent: {
        acceptedAt: new Date(Date.now() - A_WHILE_MS).toISOString(),
        ipAddress: USER_IP,
        termsVersion: version,
        acceptanceMethod: 'CLICK_TO_ACCEPT',
      },
    }),
  });
  return version;
}

async function currentVersion(steps: Steps): Promise<string | undefined> {
  try {
    const answer: Json = await steps.call('getEndUserTerms', {
      label: 'preparing: reading the end-user terms',
    });
    const version: unknown = answer?.version ?? answer?.termsVersion;
    return typeof version === 'string' ? version : undefined;
  } catch (error) {
    if (error instanceof CannotPrepare) return undefined;
    throw error;
  }
}

/**
 * Waits until a recorded acceptance is on file, as a quote shows: how soon it is, is not stated.
 *
 * @param version of the terms; none, and there is nothing to wait for
 * @param body a legal one of POST /quotes
 * @throws CannotPrepare where it never is
 */
export async function onFile(
  steps: Steps,
  version: string | undefined,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (version === undefined) return;
  const label = 'preparing: a quote, to see whether the acceptance of the terms is on file';
  const isOnFile = await soon(steps.profile, 'acceptance of the terms', async () => {
    const { response } = await steps.attempt('createQuote', { label, body });
    return response?.status !== 403 || !response.text.includes(NOT_ACCEPTED) || undefined;
  });
  if (isOnFile) return;
  throw new CannotPrepare(
    `quotes are refused with ${NOT_ACCEPTED} after the acceptance of the terms was recorded: adapt dialect.bodies.updateCustomer in the profile`,
    undefined,
    'let `updateCustomer` take the endUserTermsConsent that Assay sends (dialect.bodies.updateCustomer), or serve the state `customer`',
  );
}

/**
 * State `terms`: the version in force, as the target shows it, and one of the same form that never was.
 *
 * @throws CannotPrepare where the target shows none
 */
export async function termsInForce(steps: Steps): Promise<StateValues> {
  const version = await currentVersion(steps);
  if (version === undefined) throw new CannotPrepare('the target tells no version of its end-user terms');
  const isDate = /^\d{4}-\d\d-\d\d/.test(version);
  return {
    version,
    unknownVersion: isDate ? version.replace(/^\d{4}/, '1999') : `${version}9999`,
  };
}
