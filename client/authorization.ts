/** HTTP Basic credentials of a platform (section Authentication, 1). */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64')}`;
}

/** An agent's access token. The header format is not shown in the interface; this is what deployments use. */
export function bearerAuthorization(accessToken: string): string {
  return `Bearer ${accessToken}`;
}
