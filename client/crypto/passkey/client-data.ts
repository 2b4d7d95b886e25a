import { toBase64Url, utf8 } from '../bytes.ts';

/** What the browser collects about a ceremony. */
export interface ClientData {
  type: 'webauthn.create' | 'webauthn.get';
  challenge: Uint8Array;
  origin: string;
  crossOrigin?: boolean;
  /** Further members, written last and in order; the standard allows them. */
  extra?: Readonly<Record<string, unknown>>;
}

/** The bytes of `clientDataJSON`, in the order of members that WebAuthn prescribes (section 5.8.1.1). */
export function clientDataJson(data: ClientData): Uint8Array {
  const collected = {
    type: data.type,
    challenge: toBase64Url(data.challenge),
    origin: data.origin,
    crossOrigin: data.crossOrigin ?? false,
    ...data.extra,
  };
  return utf8(JSON.stringify(collected));
}
