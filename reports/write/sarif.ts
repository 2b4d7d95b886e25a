import type { ConformanceReport, Defect, RuleReport } from '../verdicts/model.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';
const LEVELS = { MUST: 'error', SHOULD: 'warning', MAY: 'note' } as const;

/**
 * assay.sarif (SARIF 2.1.0): every defect as a result that code hosts show. What is broken is no file of theirs, so a result
 * points to the line of the spec that shows it, and its fingerprint is the defect's name, the same in every run.
 */
export function sarif(report: ConformanceReport): string {
  const broken = new Set(report.defects.map(({ rule }) => rule));
  const rules = report.rules.filter(({ id }) => broken.has(id));
  const run = {
    tool: {
      driver: {
        name: 'Assay',
        semanticVersion: report.run.assay,
        rules: rules.map(ruleOf),
      },
    },
    automationDetails: { id: `assay/${report.target.name}/` },
    columnKind: 'utf16CodeUnits',
    results: report.defects.map((defect) =>
      resultOf(
        defect,
        rules.findIndex(({ id }) => id === defect.rule),
      ),
    ),
    invocations: [
      {
        executionSuccessful: report.verdict !== 'not judged',
        startTimeUtc: report.run.startedAt,
        toolExecutionNotifications: report.run.engineErrors.map((text) => ({
          level: 'error',
          message: { text },
        })),
      },
    ],
  };
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 1)}\n`;
}

function ruleOf({ id, statement, section, level, area }: RuleReport) {
  return {
    id,
    shortDescription: { text: statement },
    help: { text: `${level}. Interface: ${section}.` },
    defaultConfiguration: { level: LEVELS[level] },
    properties: { tags: [area] },
  };
}

function resultOf(defect: Defect, ruleIndex: number) {
  const [file, line] = placeOf(defect);
  return {
    ruleId: defect.rule,
    ...(ruleIndex < 0 ? {} : { ruleIndex }),
    level: LEVELS[defect.level],
    message: { text: `${defect.title}\n${defect.message}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(file) },
          region: { startLine: line },
        },
        logicalLocations: [{ fullyQualifiedName: defect.place }],
      },
    ],
    partialFingerprints: { 'assayDefect/v1': defect.id },
    occurrenceCount: defect.count,
    ...(defect.known === undefined
      ? {}
      : { suppressions: [{ kind: 'external', status: 'accepted', justification: defect.known }] }),
  };
}

/** The line of the spec; of what an answer alone breaks, and no spec asked, the rules. */
function placeOf({ line, story }: Defect): readonly [file: string, line: number] {
  const [, file, number] = /^(.*):(\d+)$/.exec(line ?? story?.location ?? '') ?? [];
  return file === undefined ? ['schemas/openapi.yaml', 1] : [file, Math.max(1, Number(number))];
}
