import { parsedOrNothing } from '../../schemas/json.ts';
import { Answer, type Breach } from '../../suite/answers/answer.ts';
import { ambiguityIn } from '../../suite/answers/conventions.ts';

export interface Come {
  readonly label?: string;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly breaches?: readonly Breach[];
}

/** An answer as a check gets it. */
export function answered(status: number, come: Come = {}): Answer {
  const { label = 'asking', text = '', headers = {}, breaches = [] } = come;
  const request = { method: 'POST', url: 'http://host/x', headers: {} };
  const exchange = { at: 0, milliseconds: 1, request, response: { status, headers, text } };
  const body = parsedOrNothing(text);
  return new Answer(label, label, exchange, body, breaches, { ambiguous: ambiguityIn(text, body) });
}
