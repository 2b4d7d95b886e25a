import { eventually, type Answer, type Need, type Webhook } from '../../../suite/index.ts';

/**
 * A test event that is sent now and arrives; where the target offers none, any event that has arrived. Without it the absence
 * of an event proves nothing, and the test is not verified.
 */
export async function laterEvent(webhook: Webhook, need: Need): Promise<Answer> {
  const known = webhook.deliveries.length;
  const sent = await webhook.sendTest();
  if (sent?.exchange.response && sent.accepted)
    await eventually(
      async () => webhook.deliveries.length,
      (count) => count > known,
      webhook.patienceMs,
    );
  return need.offered(
    webhook.deliveries.slice(known).at(-1)?.answer ?? (await webhook.works()),
    'no event reaches this machine, so none that is missing proves anything',
  );
}
