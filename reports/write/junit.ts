import { create } from 'xmlbuilder2';
import type { ConformanceReport, RuleReport } from '../verdicts/model.ts';
import { shownAs } from '../verdicts/totals.ts';

// XML 1.0 has no way to write these, not even as references; a target's answer may hold any of them.

const NOT_XML =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

const clean = (text: string) => text.replace(NOT_XML, '\uFFFD');

/**
 * junit.xml: one suite an area, one case a rule. A violated rule is a failure (a SHOULD too, marked as such),
 * inconclusive an error, everything that was not judged is skipped with its reason.
 */
export function junitXml(report: ConformanceReport): string {
  const areas = [...new Set(report.rules.map((rule) => rule.area))];
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele('testsuites', {
    name: clean(`Conformance of ${report.target.name}`),
    ...countsOf(report.rules),
    time: seconds(report.run.milliseconds),
  });
  for (const area of areas) {
    const rules = report.rules.filter((rule) => rule.area === area);
    const suite = root.ele('testsuite', { name: area, timestamp: report.run.startedAt, ...countsOf(rules) });
    for (const rule of rules) {
      const test = suite.ele('testcase', {
        classname: `${area}.${rule.level}`,
        name: clean(`${rule.id} ${rule.statement}`),
        ...fileOf(report, rule),
      });
      const message = clean(reasonOf(rule));
      const kind = kindOf(rule);
      if (kind === 'skipped') test.ele('skipped', { message: `${shownAs(rule)}: ${message}` });
      else if (kind !== undefined)
        test.ele(kind, { type: rule.verdict, message }).txt(detailsOf(report, rule));
    }
  }
  // CI servers that know nothing of the exit code must see a run that could not judge, or did not show enough.
  const errors = errorsOf(report);
  if (errors.length > 0) {
    const suite = root.ele('testsuite', {
      name: 'assay',
      tests: errors.length,
      errors: errors.length,
      failures: 0,
      skipped: 0,
    });
    for (const [index, error] of errors.entries()) {
      const test = suite.ele('testcase', {
        classname: 'assay',
        name: `The run could judge (${index + 1})`,
      });
      test.ele('error', { type: report.verdict, message: clean(error) });
    }
  }
  return `${root.end({ prettyPrint: true })}\n`;
}

/** The line of the spec that shows it broken: CI servers make a link of it. */
function fileOf({ defects }: ConformanceReport, { id }: RuleReport): { readonly file?: string } {
  const found = defects.find((defect) => defect.rule === id);
  const line = found?.line ?? found?.story?.location;
  return line === undefined ? {} : { file: clean(line) };
}

function reasonOf(rule: RuleReport): string {
  if (shownAs(rule) === 'accepted') return `${rule.accepted} (${rule.reason})`;
  return rule.excluded ?? rule.reason ?? rule.verdict;
}

type Kind = 'failure' | 'error' | 'skipped' | undefined;

function kindOf(rule: RuleReport): Kind {
  switch (shownAs(rule)) {
    case 'violated':
      return 'failure';
    case 'inconclusive':
      return 'error';
    case 'verified':
      return undefined;
    default:
      return 'skipped';
  }
}

function errorsOf(report: ConformanceReport): readonly string[] {
  if (report.run.engineErrors.length > 0 && report.run.usageError === undefined)
    return report.run.engineErrors;
  return report.verdict === 'not judged' || report.verdict === 'incomplete' ? [report.because] : [];
}

function countsOf(rules: readonly RuleReport[]) {
  const number = (kind: Kind) => rules.filter((rule) => kindOf(rule) === kind).length;
  return {
    tests: rules.length,
    failures: number('failure'),
    errors: number('error'),
    skipped: number('skipped'),
  };
}

function detailsOf(report: ConformanceReport, rule: RuleReport): string {
  const defects = report.defects.filter((defect) => defect.rule === rule.id);
  const lines = [
    `${rule.level}: ${rule.statement}`,
    `Section: ${rule.section}`,
    ...(rule.reason === undefined ? [] : [rule.reason]),
    ...defects.flatMap((defect) => [
      `At ${defect.place}, seen ${defect.count} times (${defect.steadiness}): ${defect.message}`,
      ...(defect.command === undefined ? [] : [`  to repeat it: ${defect.command}`]),
      ...defect.tests.map((test) => `  in ${test}`),
    ]),
  ];
  return clean(lines.join('\n'));
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
