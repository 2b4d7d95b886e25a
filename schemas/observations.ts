import { readYaml } from './read-yaml.ts';

/** Something that the interface leaves open, asked of every target and never judged. */
export interface ObservationQuestion {
  readonly id: string;
  readonly section: string;
  readonly question: string;
  readonly area: string;
  /** What facts about real deployments say. */
  readonly default?: string;
}

let questions: readonly ObservationQuestion[] | undefined;
let ids: ReadonlySet<string> | undefined;

/** Every question of observations.yaml, in its order. */
export function loadObservationQuestions(): readonly ObservationQuestion[] {
  return (questions ??= readYaml('observations.yaml') as ObservationQuestion[]);
}

/** @throws Error for a question that observations.yaml does not have: a defect of Assay */
export function assertQuestion(id: string): void {
  ids ??= new Set(loadObservationQuestions().map((question) => question.id));
  if (!ids.has(id)) throw new Error(`schemas/observations.yaml has no question ${id}`);
}
