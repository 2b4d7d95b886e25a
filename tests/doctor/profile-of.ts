import { loadProfile } from '../../target/read-settings.ts';
import type { Preparation, Profile } from '../../target/profile.ts';

const NOBODY = {
  baseUrl: 'http://127.0.0.1:1',
  statesUrl: 'http://127.0.0.1:1',
  clientId: '',
  clientSecret: '',
};

/** The profile of a target on this machine. */
export function profileOf(baseUrl: string, preparation: Preparation, more: Partial<Profile> = {}): Profile {
  const env = { BASE_URL: baseUrl, CLIENT_ID: 'sandbox', CLIENT_SECRET: 'sandbox-secret' };
  return { ...loadProfile(env, NOBODY), preparation, ...more };
}
