const MASK = '••••••';
/** Shorter values would mask ordinary words. */
const SHORTEST_SECRET = 6;
const SECRET_KEYS =
  /("(?:access_?token|client_?secret|device_?code|oidc_?token|password|api_?key|private_?key|otp_?code|secret|encrypted_?(?:otp_?bundle|session_?signing_?key|wallet_?credentials))"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;

/**
 * Keeps secrets out of everything that is written. A value is masked wherever it occurs: raw, in base64, percent-encoded
 * or escaped in JSON; and the values of keys that always hold a secret are masked unseen.
 */
export class Secrets {
  readonly #forms = new Set<string>();

  /** @param values secrets in clear; empty and very short ones are ignored */
  add(...values: readonly (string | undefined)[]): void {
    for (const value of values) {
      if (value === undefined || value.length < SHORTEST_SECRET) continue;
      this.#forms.add(value);
      this.#forms.add(Buffer.from(value, 'utf8').toString('base64'));
      this.#forms.add(Buffer.from(value, 'utf8').toString('base64url'));
      this.#forms.add(encodeURIComponent(value));
      this.#forms.add(JSON.stringify(value).slice(1, -1));
    }
  }

  mask(text: string): string {
    let masked = text.replace(SECRET_KEYS, `$1"${MASK}"`);
    for (const form of this.#forms) if (masked.includes(form)) masked = masked.replaceAll(form, MASK);
    return masked;
  }

  /** Masks header values: whole for headers that authenticate, registered secrets elsewhere. */
  maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        /^(authorization|proxy-authorization|cookie|set-cookie)$/i.test(name)
          ? value.replace(/^(\w+ )?.*$/s, `$1${MASK}`)
          : this.mask(value),
      ]),
    );
  }
}
