import { malformedTokens } from '../../../client/crypto/index.ts';

/**
 * Tokens that are not JWT-shaped, or whose claims cannot be read (Authentication, 8: tokens "are still JWT-shaped", and
 * their claims are validated). What stands in the header only the signature's verification would read, which sandboxes skip.
 */
export const unreadableTokens = malformedTokens.filter(({ name }) => !name.startsWith('header-'));
