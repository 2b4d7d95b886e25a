import { idempotencyKeys } from '../../generators/idempotency-keys.ts';
import { fourProperties } from './four-properties.ts';

fourProperties('idempotencyKeys', {
  arbitrary: idempotencyKeys(),
  isRight: (key) => /^[\w-]{16,64}$/.test(key),
});
