import { test, expect } from '@playwright/test';
import { SoftwarePasskey } from '../../../client/crypto/software-passkey.ts';
import { tamperedAssertions, tamperedRegistrations } from '../../../client/crypto/tampered-ceremonies.ts';
import { verifyAssertion, verifyRegistration } from './other-side/verify-passkey.ts';

const party = { rpId: 'wallet.example', origin: 'https://wallet.example' };
const challenge = '0123456789abcdef'.repeat(4);
const random = (): Uint8Array => crypto.getRandomValues(new Uint8Array(32));

for (const row of tamperedAssertions) {
  test(`a server library refuses an assertion that ${row.says}`, async () => {
    const passkey = new SoftwarePasskey(party);
    const credential = await verifyRegistration(passkey.register(random()), party);
    if (!credential) throw new Error('The registration was refused.');
    const counter = await verifyAssertion(passkey.assert(challenge), challenge, credential, party);
    expect(counter, 'the good one before').toBeDefined();
    credential.counter = counter ?? 0;
    const tampered = row.make(passkey, challenge);
    expect(await verifyAssertion(tampered, challenge, credential, party)).toBeUndefined();
    const after = await verifyAssertion(passkey.assert(challenge), challenge, credential, party);
    expect(after, 'the good one after').toBeDefined();
  });
}

for (const row of tamperedRegistrations) {
  test(`a server library refuses a registration that ${row.says}`, async () => {
    const passkey = new SoftwarePasskey(party);
    expect(await verifyRegistration(row.make(passkey, random()), party)).toBeUndefined();
    expect(await verifyRegistration(passkey.register(random()), party), 'the good one').toBeDefined();
  });
}

test('names are kebab-case and unique in each table', () => {
  for (const table of [tamperedAssertions, tamperedRegistrations]) {
    const names = table.map((row) => row.name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  }
});
