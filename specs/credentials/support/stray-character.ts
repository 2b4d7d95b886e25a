/**
 * A base64url text with one character that base64url has not, put in so that a decoder which drops such characters gets the
 * right bytes all the same.
 */
export function withStrayCharacter(base64url: string): string {
  return `${base64url.slice(0, 4)}%${base64url.slice(4)}`;
}
