import type { QuoteSourceParams } from '../../states/quote-state.ts';
import type { StateParams, StateValues } from '../state-provider.ts';
import { customer } from './customer.ts';
import type { Steps } from './steps.ts';

/** State `quote-source`: as `customer`, with a source that is funded at execution where that is asked for. */
export async function quoteSource(steps: Steps, params: StateParams): Promise<StateValues> {
  const { kind, ...rest } = params as QuoteSourceParams;
  const values = await customer(steps, rest as StateParams);
  if (kind !== 'REALTIME_FUNDING') return values;
  const source = { sourceType: kind, currency: values['currency'], customerId: values['customerId'] };
  return { ...values, body: { ...(values['body'] as object), source } };
}
