import { Service, expect, test } from '../../support/test.ts';

const consent = (termsVersion: string) => ({
  acceptedAt: '2026-08-02T10:00:00Z',
  ipAddress: '2001:db8::1',
  termsVersion,
  acceptanceMethod: 'CLICK_TO_ACCEPT',
});

test('customers are created with and without due-diligence fields; wrong fields are named together', async ({
  caller,
}) => {
  const at = await Service.at(caller, 'due-diligence');
  const { body, without, invalid, invalidFields } = at.values;
  expect(await at.send('POST', '/customers', body)).toMatchObject({
    status: 201,
    body: { pepStatus: 'NOT_PEP' },
  });
  const { body: plain } = await at.send('POST', '/customers', without);
  for (const [method, path] of [
    ['POST', '/customers'],
    ['PATCH', `/customers/${plain.id}`],
  ] as const) {
    const answer = await at.send(method, path, invalid);
    expect(answer.status).toBe(400);
    expect(answer.body.details.errors.map(({ field }: { field: string }) => field).sort()).toEqual(
      [...invalidFields].sort(),
    );
  }
});

test('consent to the current terms counts, to unknown ones it does not', async ({ caller }) => {
  const at = await Service.at(caller, 'terms');
  const { body } = await at.send('GET', '/customers/end-user-terms');
  expect(body).toMatchObject({ version: at.values['version'], url: expect.stringContaining('https://') });
  const create = (version: string) =>
    at.send('POST', '/customers', { endUserTermsConsent: consent(version) });
  expect((await create(body.version)).status).toBe(201);
  expect((await create(at.values['unknownVersion'])).body).toMatchObject({
    status: 400,
    code: 'END_USER_TERMS_VERSION_NOT_FOUND',
  });
});

for (const problems of [0, 1, 2, 4]) {
  test(`a verification names ${problems} problems`, async ({ caller }) => {
    const at = await Service.at(caller, 'verification', { problems });
    const { method, path, body } = at.values['verify'];
    const answer = await at.send(method, path, body);
    expect(answer.body.verificationStatus === 'RESOLVE_ERRORS').toBe(problems > 0);
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(at.values['problems']);
  });
}

test('contact verification is for customers whose provider mandates it', async ({ caller }) => {
  const steps = ['verify-email', 'verify-email/confirm', 'verify-phone', 'verify-phone/confirm'];
  for (const [contactVerification, expected] of [
    [true, 200],
    [false, 409],
  ] as const) {
    const at = await Service.at(caller, 'customer', { contactVerification });
    for (const step of steps) {
      const answer = await at.send('POST', `/customers/${at.values['customerId']}/${step}`, {
        code: at.values['contactCode'] ?? '1',
      });
      expect(answer.status, step).toBe(expected);
    }
  }
});
