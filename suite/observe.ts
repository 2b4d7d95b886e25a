import { assertQuestion } from '../schemas/observations.ts';
import type { Answer } from './answer.ts';
import type { JournalWriter } from '../journal/journal-writer.ts';

/**
 * Records what the target does where the interface is silent. Never a verdict.
 *
 * @param question id from observations.yaml
 * @param answer short text or small JSON value; an Answer stands for its status and code
 */
export type Observe = (question: string, answer: unknown, ...evidence: readonly Answer[]) => void;

export function makeObserve(journal: JournalWriter, isAnswer: (value: unknown) => value is Answer): Observe {
  return (question, answer, ...evidence) => {
    assertQuestion(question);
    const from = isAnswer(answer) ? [answer, ...evidence] : evidence;
    journal.observe({
      question,
      answer: isAnswer(answer) ? summary(answer) : answer,
      exchanges: from.map((one) => one.id),
    });
  };
}

function summary(answer: Answer): string {
  const code = answer.exchange.response ? answer.code : undefined;
  return code === undefined ? answer.outcome : `${answer.outcome} ${code}`;
}
