/** What must be known of everybody who is verified, by dot path. */
export const NEEDED = ['fullName', 'birthDate', 'address.country', 'identifier'] as const;
