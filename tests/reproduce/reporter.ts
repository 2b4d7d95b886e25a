import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FullResult, Reporter, Suite } from '@playwright/test/reporter';
import { buildReport } from '../../reports/build-report.ts';
import { withReproducers } from '../../reports/reproduce/reproducers.ts';
import { recordsOf } from '../../reports/test-record.ts';
import { exchangeIndex } from '../../reports/write/report-files.ts';
import { faults } from '../../sandbox/faults/index.ts';
import { loadRules } from '../../schemas/rules.ts';
import { scratch } from '../support/run-assay.ts';
import { runScript, spawnSandbox } from '../support/sandbox-process.ts';

/** A defect of a broken world, and what its script said. */
interface Row {
  readonly fault: string;
  readonly rule: string;
  /** Exit code on the broken world, and on the right one; absent where there is no script. */
  readonly broken?: number | null;
  readonly right?: number | null;
  readonly why?: string;
}

/** Builds the report of every world as a run of it would, writes its scripts and runs them. */
export default class ReproduceReporter implements Reporter {
  #suite: Suite | undefined;

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  printsToStdio(): boolean {
    return true;
  }

  async onEnd(): Promise<{ status: FullResult['status'] }> {
    await using sandbox = await spawnSandbox();
    const folder = scratch('reproduce');
    const rows: Row[] = [];
    const rules = loadRules();
    for (const project of this.#suite?.suites ?? []) {
      const fault = project.project()?.name ?? '';
      const breaks = faults.find(({ name }) => name === fault)?.breaks;
      const tests = recordsOf(project.allTests());
      const { report, files } = withReproducers(
        buildReport({
          assay: {
            target: {
              name: fault,
              baseUrl: 'the embedded sandbox',
              brand: 'Service',
              embedded: true,
              capabilities: [],
              preparation: 'provider-states',
            },
          },
          tests,
          rules,
          questions: [],
          coverageOf: () => 'check',
          startedAt: new Date().toISOString(),
          milliseconds: 0,
          errors: [],
          partial: true,
          version: '0',
        }),
        exchangeIndex(tests),
      );
      for (const { rule, reproducer } of report.defects.filter((defect) => defect.rule === breaks)) {
        if (reproducer?.script === undefined) {
          rows.push({ fault, rule, why: reproducer?.noScript ?? 'no story' });
          continue;
        }
        const file = join(folder, fault, reproducer.script);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, files[reproducer.script] as string);
        const broken = await runScript(file, sandbox, `fault.${fault}`);
        const right = await runScript(file, sandbox, 'default');
        const isGood = broken.code === 1 && right.code !== 1;
        rows.push({ fault, rule, broken: broken.code, right: right.code });
        if (!isGood)
          console.log(
            `WRONG   ${fault} → ${rule}: broken ${broken.code}, right ${right.code}\n  ${file}\n${indented(broken.code === 1 ? right.output : broken.output)}`,
          );
      }
    }
    for (const { fault, rule, why } of rows.filter((row) => row.why !== undefined))
      console.log(`no script  ${fault} → ${rule}: ${why}`);
    const scripts = rows.filter((row) => row.why === undefined);
    const good = scripts.filter(({ broken, right }) => broken === 1 && right !== 1).length;
    console.log(
      `${rows.length} defects, ${scripts.length} with a script: ${good} see the breach again and not on the right service, ${scripts.filter(({ broken }) => broken !== 1).length} do not see it, ${scripts.filter(({ right }) => right === 1).length} see it on the right service too, ${scripts.filter(({ right }) => right === 2).length} stop there`,
    );
    return { status: scripts.length > 0 && good === scripts.length ? 'passed' : 'failed' };
  }
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .slice(-6)
    .map((line) => `  ${line.slice(0, 220)}`)
    .join('\n');
}
