import { readFileSync, writeFileSync } from 'node:fs';
import prettier from 'prettier';
import {
  type DetectionRecord,
  type RecordedFault,
  proofDigest,
  readDetection,
} from '../../reports/detection.ts';
import { count } from '../../reports/write/sentences.ts';
import type { Fault } from '../../sandbox/faults/fault.ts';
import { faults } from '../../sandbox/faults/index.ts';
import { loadRules } from '../../schemas/rules.ts';
import { type Explained, type MutantRow, explanationOf, nameable, readSurvivors } from '../mutants/row.ts';
import { isFair, variantLines } from '../variants/row.ts';
import { type Elsewhere, type Measured, type Occasion, keepMeasured, readElsewhere } from './measured.ts';

interface Trust extends Measured {
  readonly matrix: DetectionRecord | undefined;
  /** Of the files as they are now. */
  readonly digest: string;
  readonly areaOf: ReadonlyMap<string, string>;
  readonly survivors: readonly Explained[];
  readonly elsewhere: Elsewhere;
}

/** The numbers of README.md, as a table: a question, its answer, and where it was measured. */
function numbers(trust: Trust): string {
  const { matrix, variants, mutants, elsewhere } = trust;
  const caught = matrix?.faults.filter(({ fate }) => fate === 'caught').length;
  const wrongly = matrix?.faults.filter((row) => row.wrongly).length;
  const accusing = variants?.rows.reduce((sum, { accused }) => sum + accused.length, 0);
  const rows: readonly (readonly [question: string, answer: string | undefined, at: Occasion | undefined])[] =
    [
      [
        'Planted faults: does the broken rule get the blame?',
        matrix &&
          `${caught} of ${matrix.faults.length}; ${wrongly ? `${count(wrongly, 'time')} another rule was blamed too` : 'nothing else was blamed'}`,
        matrix,
      ],
      ['The same where no profile says how the service speaks?', matrix && unvouchedAnswer(matrix), matrix],
      [
        'Services that obey, each in other ways: is one accused?',
        variants &&
          `${count(accusing ?? 0, 'false accusation')} in ${count(variants.rows.length, 'service')}`,
        variants,
      ],
      [
        'Changes that nobody chose: does a rule notice?',
        mutants && `${percent(mutants.named, mutants.tried)} of ${mutants.tried}`,
        mutants,
      ],
    ];
  return [
    '| Question | Answer | Measured |',
    '| --- | --- | --- |',
    ...rows.map(
      ([question, answer, at]) =>
        `| ${question} | ${answer ?? 'not measured'} | ${at ? `${at.date.slice(0, 10)} at ${at.commit.split(' ')[0]}` : ''} |`,
    ),
    `| The same on a service that others wrote | ${elsewhere.faults.named} of ${elsewhere.faults.breaches} faults; ${count(elsewhere.legal.accused.length, 'false accusation')} in ${count(elsewhere.legal.services, 'service')} | ${elsewhere.on} at ${elsewhere.commit}, by hand |`,
  ].join('\n');
}

/** docs/trust.md. */
function trustPage(trust: Trust): string {
  return [
    '# How far to trust a verdict',
    'Made by `npm run matrix`, `npm run variants` and `npm run mutants`; do not edit. All but the last measurement was made on the sandbox that Assay ships.',
    ...matrixPart(trust),
    ...variantsPart(trust),
    ...mutantsPart(trust),
    ...scriptsPart(trust),
    ...elsewherePart(trust.elsewhere),
    NOT_PROVED,
  ].join('\n\n');
}

function matrixPart(trust: Trust): string[] {
  const { matrix, areaOf } = trust;
  const head = '## Planted faults';
  if (!matrix) return [head, 'Not measured.'];
  const kinds = new Map(faults.map((fault) => [fault.name, kindOf(fault)]));
  const bad = matrix.faults.filter(({ fate, wrongly }) => fate !== 'caught' || wrongly);
  return [
    head,
    `One rule is broken at a time. The suite must name that rule, and no other. Only tests that run the changed code can end otherwise. ${howMany(matrix.faults)} ${capital(occasion(matrix, trust))}, with ${matrix.tests} tests.`,
    table('Area', matrix.faults, ({ breaks }) => areaOf.get(breaks) ?? 'unknown'),
    table('Kind of mistake', matrix.faults, ({ fault }) => kinds.get(fault) ?? 'unknown'),
    ...(bad.length === 0
      ? ['None was missed, and nobody was accused wrongly.']
      : [
          'Not as it should be:',
          bad
            .map(
              ({ fault, breaks, fate, wrongly }) =>
                `- \`${fault}\` (${breaks}): ${fate}${wrongly ? `; wrongly accused: ${wrongly.join(', ')}` : ''}`,
            )
            .join('\n'),
        ]),
    ...unvouchedPart(matrix),
  ];
}

function unvouchedAnswer({ faults: rows }: DetectionRecord): string {
  const fates = rows.map(({ fate, unvouched = fate }) => unvouched);
  const of = (wanted: RecordedFault['fate']) => fates.filter((fate) => fate === wanted).length;
  return `${of('caught')} of ${rows.length}; ${of('in doubt')} left in doubt`;
}

/** What is in doubt on a target that nobody has told the suite about. */
function unvouchedPart({ faults: rows }: DetectionRecord): string[] {
  const open = rows.filter(({ unvouched }) => unvouched !== undefined);
  const rules = [...new Set(open.map(({ breaks }) => breaks))].sort();
  const line = (rule: string) =>
    `- ${rule}: ${open.flatMap(({ fault, breaks }) => (breaks === rule ? [`\`${fault}\``] : [])).join(', ')}`;
  if (open.length === 0) return [];
  return [
    `Where no profile says how the service speaks, some checks stand on a guess: a path or a body that the interface does not show, or how long an effect may take. Then nobody is accused, and these faults leave their rule in doubt:`,
    rules.map(line).join('\n'),
  ];
}

function howMany(rows: readonly RecordedFault[]): string {
  const sum = (of: (fault: RecordedFault) => number) => rows.reduce((total, row) => total + of(row), 0);
  const run = sum((row) => row.run);
  const reaching = sum((row) => row.reaching);
  return run === reaching
    ? 'Each fault met all of these tests.'
    : `Each fault met those that name its rule, and some of the others, drawn at random: ${run} of ${reaching} pairs of fault and test.`;
}

function scriptsPart(trust: Trust): string[] {
  const head = '## Scripts that repeat a defect';
  const { reproduce } = trust;
  if (!reproduce) return [head, 'Not measured.'];
  const { summary, wrong } = reproduce;
  return [
    head,
    `The script of each defect is run on the broken sandbox and on the right one. ${capital(summary)}. ${capital(occasion(reproduce, trust))}.`,
    ...(wrong.length === 0 ? [] : [`Wrong: ${wrong.map(({ fault }) => `\`${fault}\``).join(', ')}.`]),
  ];
}

function table(what: string, all: readonly RecordedFault[], of: (fault: RecordedFault) => string): string {
  const groups = [...new Set(all.map(of))].sort();
  const line = (name: string, rows: readonly RecordedFault[]) => {
    const count = (fate: RecordedFault['fate']) => rows.filter((row) => row.fate === fate).length;
    const wrongly = rows.filter((row) => row.wrongly).length;
    return `| ${name} | ${rows.length} | ${count('caught')} | ${count('in doubt')} | ${count('missed')} | ${count('never reached')} | ${wrongly} |`;
  };
  return [
    `| ${what} | Planted | Caught | In doubt | Missed | Never reached | Others accused |`,
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...groups.map((group) =>
      line(
        group,
        all.filter((fault) => of(fault) === group),
      ),
    ),
    line('**all**', all),
  ].join('\n');
}

function variantsPart(trust: Trust): string[] {
  const { variants } = trust;
  const head = '## Legal differences';
  if (!variants) return [head, 'Not measured.'];
  const { rows, pairs, differences } = variants;
  const bad = rows.filter((row) => !isFair(row));
  return [
    head,
    `Services that obey the interface and differ in what it leaves open. ${rows.length} services hold ${differences} differences. ${pairs.shown} of ${pairs.all} pairs of differences meet in one of them. ${capital(occasion(variants, trust))}.`,
    `In ${rows.length - bad.length} of ${rows.length} nobody is accused, and all is verified that can be. Such a service hides ${average(rows.map(({ hidden }) => hidden))} rules on average (proof/variants/shows-less.yaml).`,
    ...(bad.length === 0 ? [] : [bad.map((row) => `- ${variantLines(row).join('\n  -')}`).join('\n')]),
  ];
}

function average(numbers: readonly number[]): string {
  return (numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)).toFixed(1);
}

function mutantsPart(trust: Trust): string[] {
  const { mutants, survivors } = trust;
  const head = '## Mutants that nobody chose';
  if (!mutants) return [head, 'Not measured.'];
  const { rows, made, named, tried } = mutants;
  const of = (fate: MutantRow['fate']) => rows.filter((row) => row.fate === fate);
  const looked = rows.map((row) => ({ row, why: explanationOf(row, survivors) }));
  const left = looked.filter(({ row }) => row.fate !== 'never reached');
  const count = (is: Explained['is'] | undefined) => left.filter(({ why }) => why?.is === is).length;
  const within = nameable(tried, rows, survivors);
  const missing = left
    .filter(({ why }) => why?.is === 'missing')
    .map(({ row, why }) => `- ${place(row)}: ${why!.because}`);
  return [
    head,
    `StrykerJS's instrumenter makes small mechanical changes of the sandbox's behaviour. ${tried === made ? `All ${made}` : `${tried} of ${made}, drawn by lot,`} met every test that runs their code, until a rule was named. ${capital(occasion(mutants, trust))}.`,
    `Named: ${named} (${percent(named, tried)}). Left in doubt, so that the run is not green but nobody is accused: ${of('in doubt').length}. Unnoticed: ${of('unnoticed').length}. Never reached by a test: ${of('never reached').length}. Less those never reached, and those found by hand to be left open or not to be seen, ${named} of ${within} are named (${percent(named, within)}). The reasons were written by whoever read the survivors, so this share flatters.`,
    `Of those that no rule names, ${count('open')} change what the interface leaves open, and ${count('unseen')} cannot be seen from outside. A check is missing for ${count('missing')}. Nobody has looked at ${count(undefined)} yet. Each has its reason in \`proof/mutants/survivors.yaml\`.`,
    ...(missing.length === 0 ? [] : ['A check is missing:', missing.join('\n')]),
  ];
}

function elsewherePart({ on, commit, service, faults, legal }: Elsewhere): string[] {
  return [
    '## On a service that others wrote',
    'People who had read the interface and not the suite wrote services and broke them:',
    service.map((one) => `- ${one}`).join('\n'),
    `Measured by hand, on ${on}, at ${commit}; it cannot be repeated from here.`,
    `Of ${faults.breaches} planted breaches ${faults.named} were named by a rule of their sentence (${percent(faults.named, faults.breaches)}), ${faults.open} were left in doubt, and ${faults.missed.length} were not noticed.`,
    `${count(legal.accused.length, 'false accusation')} in ${count(legal.services, 'service')} that obey the interface and differ in what it leaves open. \`proof/trust/elsewhere.yaml\` has each miss and each accusation.`,
  ];
}

function place({ fate, file, line, kind, was, becomes }: MutantRow): string {
  const code = (text: string) => `\`${text.replaceAll('`', "'").slice(0, 90)}\``;
  return `${fate}, ${file}:${line}, ${kind}: ${code(was)} → ${code(becomes)}`;
}

function occasion({ date, commit, digest }: Occasion, trust: Trust): string {
  const then = `measured on ${date.slice(0, 10)} at ${commit}`;
  return digest === trust.digest ? then : `${then}; the suite or the sandbox has changed since`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function percent(part: number, all: number): string {
  return all === 0 ? '0 %' : `${Math.round((100 * part) / all)} %`;
}

const NOT_PROVED = `## What this does not prove

- Those who wrote the checks planted the faults, in one implementation. A service can be wrong in ways that nobody thought of. The mutants tell how much that is.
- A service whose code differs is broken in other places: rates found there are lower, as the one above is.
- What the interface leaves open is never judged, and what cannot be prepared on a target is not verified there, whatever is caught here.
- One fault at a time: two that hide each other were not planted.
- Legal differences meet in pairs; what needs three of them at once may never have been tried.
- Time is moved, and the network is a quick one.`;

/** Kinds of mistakes, told by the functions of the sandbox that a fault stands in for. The first that fits is meant. */
const KINDS: readonly (readonly [kind: string, functions: RegExp])[] = [
  ['another answer to a refused request', /^(?:refuse|presentError|presentRefusal|presentFieldError)/],
  ['a body that is read or held otherwise', /^(?:requestSchema|read[A-Z]|checkBody|transferAmount)/],
  ['a field that is shown wrongly', /^(?:present|finishReply|contentType|listed|newUuid)/],
  [
    'a condition that is not looked at, or is another one',
    /^(?:is[A-Z]|may[A-Z]|has[A-Z]|needs|within|accept|identify|same|session(?:Is|Belongs)|credentialIs|customerIs|quoteExpired|request(?:Is|Fits)|codeIs|stampVerifies|permission|purpose|policyOf|judge|signedTexts|clientKeyFits|typeFits|agentMay)/,
  ],
];

function kindOf({ replace }: Fault): string {
  const names = Object.keys(replace);
  return (
    KINDS.find(([, functions]) => names.some((name) => functions.test(name)))?.[0] ??
    'an effect that is missing, double, or another one'
  );
}

const PAGE = new URL('../../docs/trust.md', import.meta.url);
const README = new URL('../../README.md', import.meta.url);
const NUMBERS = /(<!-- numbers -->\n)[\s\S]*?(<!-- \/numbers -->)/;

/** Writes docs/trust.md and the numbers of README.md anew, from all that was measured. @param news what was just measured */
export async function writeTrust(news: Measured = {}): Promise<void> {
  const about = {
    ...keepMeasured(news),
    matrix: readDetection(),
    digest: proofDigest(),
    areaOf: new Map(loadRules().map(({ id, area }) => [id, area])),
    survivors: readSurvivors(),
    elsewhere: readElsewhere(),
  };
  await write(PAGE, trustPage(about));
  const readme = readFileSync(README, 'utf8');
  await write(
    README,
    readme.replace(NUMBERS, (_all, begin: string, end: string) => `${begin}\n${numbers(about)}\n\n${end}`),
  );
}

async function write(file: URL, text: string): Promise<void> {
  const options = await prettier.resolveConfig(file);
  writeFileSync(file, await prettier.format(text, { ...options, parser: 'markdown' }));
}
