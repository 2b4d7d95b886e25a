import { readdirSync } from 'node:fs';
import { readYaml } from './read-yaml.ts';

/** One normative statement of the interface. */
export interface Rule {
  readonly id: string;
  readonly level: 'MUST' | 'SHOULD' | 'MAY';
  /** What a breach touches where it is more than a wrong state: who may do what, or money. */
  readonly weight?: 'access' | 'money';
  /** Folder of specs/ that the rule belongs to. */
  readonly area: string;
  /** Heading of interface.md that it comes from. */
  readonly section: string;
  /** The statement in our own words. */
  readonly statement: string;
  /** Capabilities that a target must have for the rule to apply; `quotes or agents` where either will do. */
  readonly needs: readonly string[];
  /** Rules whose breach shows here as well: while one of them is broken, nobody is accused of this one. */
  readonly follows?: readonly string[];
  /** Why nothing on the wire can show it. */
  readonly excluded?: string;
}

/** What a row of the catalogue cannot do without. */
const PARTS = ['id', 'level', 'area', 'section', 'statement', 'needs'] as const satisfies (keyof Rule)[];

let rules: readonly Rule[] | undefined;
let byId: ReadonlyMap<string, Rule> | undefined;
let capabilities: readonly CapabilityRow[] | undefined;

/** Something that a target may leave out. */
interface CapabilityRow {
  readonly id: string;
  /** In words. */
  readonly means: string;
}

/** Every row of capabilities.yaml, in its order. */
export function loadCapabilities(): readonly CapabilityRow[] {
  return (capabilities ??= readYaml('capabilities.yaml') as readonly CapabilityRow[]);
}

/**
 * Every rule of the catalogue: the areas by name, the rules of each in the order of its file.
 *
 * @throws Error for a row that lacks one of its parts, or needs a capability that there is not
 */
export function loadRules(): readonly Rule[] {
  return (rules ??= readdirSync(new URL('rules/', import.meta.url))
    .sort()
    .flatMap(rulesIn));
}

function rulesIn(file: string): readonly Rule[] {
  const rows = readYaml(`rules/${file}`) as readonly Partial<Rule>[];
  const known = new Set(loadCapabilities().map(({ id }) => id));
  for (const row of rows) {
    const lacks = PARTS.find((part) => row[part] === undefined);
    if (lacks !== undefined)
      throw new Error(
        `schemas/rules/${file}: ${row.id ?? 'a rule without an id'} has no ${lacks}${lacks === 'needs' ? '; write "needs: []" where every target is asked' : ''}.`,
      );
    const unknown = row.needs?.flatMap(alternativesOf).find((id) => !known.has(id));
    if (unknown !== undefined)
      throw new Error(
        `schemas/rules/${file}: ${row.id} needs ${unknown}, which is no capability; schemas/capabilities.yaml lists them.`,
      );
  }
  return rows as readonly Rule[];
}

/** The capabilities of which a need wants one. @param need of a rule: one capability, or several with `or` between them */
export function alternativesOf(need: string): readonly string[] {
  return need.split(' or ');
}

/** What a rule needs and a target does not have. @param capabilities that the target declares */
export function needsLacking(
  { needs }: Pick<Rule, 'needs'>,
  capabilities: ReadonlySet<string>,
): readonly string[] {
  return needs.filter((need) => !alternativesOf(need).some((id) => capabilities.has(id)));
}

/**
 * The rule with this id.
 *
 * @throws Error for an id that the catalogue does not have: a defect of Assay
 */
export function ruleOf(id: string): Rule {
  byId ??= new Map(loadRules().map((rule) => [rule.id, rule]));
  const rule = byId.get(id);
  if (!rule) throw new Error(`schemas/rules/ has no rule ${id}`);
  return rule;
}

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
