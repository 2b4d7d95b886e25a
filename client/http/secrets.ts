export { Secrets } from '../secrets/secrets.ts';
