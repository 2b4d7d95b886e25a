import type { AgentQuoteValues, AgentState } from '../../../target/states/types.ts';
import { succeeded, type Answer } from '../../answers/answer.ts';
import { eventually } from '../../eventually.ts';
import { sameId } from '../../same-id.ts';
import { Agent } from '../agent.ts';
import { partsOf, type Told } from '../platform.ts';
import { isUndecided, type SeenQuote } from './quote-customer.ts';
import { isObject } from '../../../schemas/json.ts';

/** An action that executes a quote, as an answer shows it. */
export interface QuoteAction {
  readonly status?: unknown;
  readonly id?: unknown;
  readonly type?: unknown;
  readonly quote?: SeenQuote;
  readonly transaction?: { readonly id?: unknown } | null;
}

/** An agent that creates quotes and executes them. The interface shows neither body of these operations, nor their answers. */
export class QuotingAgent extends Agent {
  declare readonly state: AgentState & AgentQuoteValues;

  /** The agent creates a quote, with changes to the body that the state promises. */
  createQuote(changes: object = {}, told: Told = {}): Promise<Answer> {
    const body = { ...this.recorder.dialect.bodies['createAgentQuote'], ...this.state.body, ...changes };
    return this.call('createAgentQuote', { label: 'the agent creates a quote', body, ...partsOf(told) });
  }

  /** The same as preparation; not verified where none is shown. */
  async needQuote(): Promise<Named<SeenQuote>> {
    const answer = await this.createQuote();
    this.need(answer).available();
    return this.need.offered(quoteIn(answer), 'no quote could be recognised in the answer');
  }

  executeQuote(quoteId: string, told: Told = {}): Promise<Answer> {
    return this.call('executeAgentQuote', {
      label: 'the agent executes the quote',
      path: { quoteId },
      ...this.platform.bodyTold('executeAgentQuote'),
      ...partsOf(told),
    });
  }

  /** Status of the quote that an action executes, now; undefined where the action does not show it. */
  async statusNow(actionId: string, quoteId: string): Promise<unknown> {
    const quote = actionIn(await this.readAction(actionId))?.quote;
    return sameId(quote?.id, quoteId) ? quote?.status : undefined;
  }

  /** The same, once it is decided, or all patience is used up. */
  decidedStatus(actionId: string, quoteId: string): Promise<unknown> {
    return eventually(
      () => this.statusNow(actionId, quoteId),
      (status) => !isUndecided(status),
      this.patienceMs,
    );
  }
}

/** The quote in an accepted answer of unknown shape; known by the form of its id. */
export function quoteIn(answer: Answer): Named<SeenQuote> | undefined {
  return partOf<SeenQuote>(answer, 'Quote');
}

/** The action in an accepted answer of unknown shape; known by the form of its id. */
export function actionIn(answer: Answer): Named<QuoteAction> | undefined {
  return partOf<QuoteAction>(answer, 'AgentAction');
}

type Named<T> = T & { readonly id: string };

/** The body itself, or one of its properties. */
function partOf<T>(answer: Answer, type: string): Named<T> | undefined {
  const body: unknown = succeeded(answer) ? answer.body : undefined;
  const parts = isObject(body) ? [body, ...Object.values(body).filter(isObject)] : [];
  return parts.find(({ id }) => typeof id === 'string' && id.startsWith(`${type}:`)) as Named<T> | undefined;
}
