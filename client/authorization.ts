/** HTTP Basic credentials of a platform (section Authentication, 1). */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64')}`;
}

/** A bearer token (RFC 6750). */
export function bearerAuthorization(token: string): string {
  return `Bearer ${token}`;
}

/** What authorizes a call: the value of the Authorization header, or another header. */
export type Authorization = string | { readonly header: string; readonly value: string };

/**
 * An agent's access token. The format of the header is not shown in the interface.
 *
 * @param form name of the header, in any case, and its value with `{token}` in it
 */
export function agentAuthorization(
  accessToken: string,
  form: { readonly header: string; readonly value: string },
): Authorization {
  const value = form.value.replaceAll('{token}', () => accessToken);
  return form.header.toLowerCase() === 'authorization' ? value : { header: form.header, value };
}
