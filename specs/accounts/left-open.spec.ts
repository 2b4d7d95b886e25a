import { ownershipOf, pay, test } from '../../suite/index.ts';
import { proven } from '../support/accounts.ts';

const SMALL = 5_000;

test('what becomes of an UNVERIFIED account', async ({ given, observe }) => {
  const ownership = ownershipOf(await given.customer({ ownership: 'PENDING' }));
  await proven(ownership, { anotherWallet: true });
  const payment = await pay(
    ownership.customer,
    SMALL,
    'a small payment to an account that failed its verification',
  );
  const challenge = await ownership.challenge();
  const second =
    challenge.exchange.response && challenge.accepted ? await ownership.verify(challenge) : undefined;
  const seen = await ownership.look();
  observe(
    'ownership-after-unverified',
    {
      payment: payment.outcome,
      challenge: challenge.outcome,
      verify: second?.outcome ?? 'not sent',
      then: seen?.status ?? 'not shown',
    },
    payment.last,
    challenge,
  );
});

test('what a liveness challenge answers', async ({ given, observe }) => {
  const ownership = ownershipOf(await given.customer({ ownership: 'PENDING' }));
  const challenge = await ownership.challenge('LIVENESS');
  const body: unknown = challenge.exchange.response ? challenge.body : undefined;
  observe(
    'ownership-liveness',
    {
      status: challenge.outcome,
      fields: typeof body === 'object' && body !== null ? Object.keys(body) : 'no JSON',
    },
    challenge,
  );
});
