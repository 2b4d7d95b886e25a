import { createECDH, createHash, createPrivateKey, sign } from 'node:crypto';

interface Enrolled {
  readonly credentialId: string;
  readonly privateKey: string;
  readonly rpId: string;
}

/** An assertion in the interface's spelling. @param options passkeyAssertionOptions */
export function assertion(
  passkey: Enrolled,
  options: { challenge: string },
  origin: string,
): Record<string, string> {
  const clientData = Buffer.from(
    JSON.stringify({ type: 'webauthn.get', challenge: options.challenge, origin }),
  );
  const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
  const authenticatorData = Buffer.concat([sha256(passkey.rpId), Buffer.from([0x05, 0, 0, 0, 1])]);
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(passkey.privateKey, 'hex');
  const point = ecdh.getPublicKey();
  const part = (bytes: Buffer) => bytes.toString('base64url');
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: part(point.subarray(1, 33)),
      y: part(point.subarray(33)),
      d: part(Buffer.from(passkey.privateKey, 'hex')),
    },
  });
  return {
    credentialId: passkey.credentialId,
    clientDataJson: part(clientData),
    authenticatorData: part(authenticatorData),
    signature: part(sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), key)),
  };
}
