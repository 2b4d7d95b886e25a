import type { ObservationQuestion } from '../../schemas/rules.ts';
import type { TestRecord } from '../journals/evidence.ts';
import type { ConformanceReport, ObservationReport } from './model.ts';

/** Exchanges listed for an answer; the rest is in exchanges.ndjson. */
const EXCHANGES_PER_ANSWER = 5;

type Question = Pick<ObservationQuestion, 'id' | 'section' | 'question' | 'area'>;

/**
 * What the target answered where the interface is silent: one entry a question, also for questions that this run
 * did not ask, with the answers of the last run beside it.
 */
export function observationsOf(
  tests: readonly TestRecord[],
  questions: readonly Question[],
  before?: Pick<ConformanceReport, 'observations'>,
): ObservationReport[] {
  const answers = new Map<string, Map<string, { answer: unknown; count: number; exchanges: string[] }>>();
  for (const { journal } of tests) {
    for (const { question, answer, exchanges } of journal?.observations ?? []) {
      const known = answers.get(question) ?? new Map<string, never>();
      answers.set(question, known);
      const key = canonical(answer);
      const entry = known.get(key) ?? { answer, count: 0, exchanges: [] };
      known.set(key, entry);
      entry.count += 1;
      entry.exchanges.push(...exchanges.slice(0, EXCHANGES_PER_ANSWER - entry.exchanges.length));
    }
  }
  const catalogued = new Set(questions.map((question) => question.id));
  const unknown = [...answers.keys()]
    .filter((id) => !catalogued.has(id))
    .map((id): Question => ({ id, section: '', question: id, area: 'general' }));
  return [...questions, ...unknown].map((question) => {
    const last = before?.observations.find((each) => each.question === question.id);
    const given = [...(answers.get(question.id)?.values() ?? [])];
    return {
      question: question.id,
      text: question.question,
      section: question.section,
      area: question.area,
      answers: given.sort((left, right) => right.count - left.count),
      ...(last && last.answers.length > 0 ? { before: last.answers.map((each) => each.answer) } : {}),
    };
  });
}

/** JSON with sorted keys, so that two equal answers are the same text. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) =>
      part !== null && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? 'undefined'
  );
}
