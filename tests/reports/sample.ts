import type { TestCase, TestResult } from '@playwright/test/reporter';
import { buildReport, type RunInput } from '../../reports/verdicts/build-report.ts';
import type { TestRecord } from '../../reports/journals/evidence.ts';
import type { ConformanceReport } from '../../reports/verdicts/model.ts';
import type { Rule } from '../../schemas/rules.ts';
import {
  type CheckResult,
  type Finding,
  type Journal,
  type RecordedExchange,
  JOURNAL_ATTACHMENT,
} from '../../journal/types.ts';

/** A small imaginary run, so that every report can be looked at without a target. */

export function rule(id: string, more: Partial<Rule> = {}): Rule {
  return {
    id,
    level: 'MUST',
    area: 'agents',
    section: 'Agent transfer-out > Request',
    statement: `What ${id} says.`,
    needs: [],
    ...more,
  };
}

export function journal(more: Partial<Journal> = {}): Journal {
  return {
    version: 1,
    rules: [],
    seen: {},
    checks: [],
    findings: [],
    observations: [],
    exchanges: [],
    ...more,
  };
}

export function record(more: Partial<TestRecord> & { readonly journal?: Journal } = {}): TestRecord {
  return {
    label: 'agents/approval.spec.ts › an amount above the threshold waits',
    rules: more.journal?.rules ?? [],
    standing: 'completed',
    outcome: 'passed',
    ...more,
  };
}

/** Of THING-A, where nothing is said; at the rule itself, where no place is. */
export function finding(more: Partial<Finding> = {}): Finding {
  const { rule: id = 'THING-A' } = more;
  return { rule: id, place: id, message: 'expected 1, got 2', exchanges: [], ...more };
}

export function check(outcome: CheckResult['outcome'], more: Partial<CheckResult> = {}): CheckResult {
  const reason = outcome === 'passed' ? {} : { reason: `it was ${outcome}` };
  return { rule: 'THING-A', outcome, exchanges: [], ...reason, ...more };
}

export function exchange(id: string, more: Partial<RecordedExchange> = {}): RecordedExchange {
  return {
    id,
    label: 'transfer 100.01 out, one cent above the threshold',
    operation: 'agentTransferOut',
    // One after another.
    at: `2026-11-21T10:20:3${/\d?$/.exec(id)?.[0] || 0}.456Z`,
    milliseconds: 12.4,
    origins: { 'header:authorization': 'platform' },
    request: {
      method: 'POST',
      url: 'https://sandbox.example.test/service/2025-10-13/agents/me/transfer-out',
      headers: {
        authorization: 'Bearer ••••••',
        'content-type': 'application/json',
        'idempotency-key': 'b4c1f2e0-4a0e-4a53-a6a3-2f1f0b0e7a11',
      },
      body: '{"source":{"accountId":"InternalAccount:0190a0c6-7d3b-7c54-9b51-bb5b7f0c1e11"},"destination":{"accountId":"ExternalAccount:0190a0c6-7d3b-7c54-9b51-bb5b7f0c1e12","paymentRail":"ACH"},"amount":10001}',
    },
    response: {
      status: 201,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '{"id":"AgentAction:0190a0c6-7d3b-7c54-9b51-bb5b7f0c1e13","status":"APPROVED","type":"TRANSFER_OUT","amount":9007199254740993}',
    },
    ...more,
  };
}

const AREAS = ['agents', 'errors', 'credentials', 'quotes', 'sca', 'limits', 'accounts', 'general'] as const;
const SUBJECTS = ['APPROVAL', 'STATUS', 'REMITTANCE', 'IDEMPOTENT', 'MESSAGE', 'TIME'] as const;
const STATEMENTS = [
  'A transfer-out whose amount the agent’s policy wants approved answers with an action in PENDING_APPROVAL.',
  'The same idempotency key with the same body answers with the same action, and money moves once.',
  'A timestamp is an ISO 8601 date and time in UTC.',
] as const;
/** What kept some tests from telling. */
const OPEN = {
  inconclusive: 'the control "transfer at the threshold" was answered 503, so what follows proves nothing',
  unprepared: 'the target does not know the state "an agent whose transfers fail"',
} as const;

export interface SampleOptions {
  readonly defects: number;
  readonly exchanges?: number;
  /** Rules in each of the eight areas; 38 make a catalogue of the usual size. */
  readonly rulesPerArea?: number;
}

function sampleRules(perArea: number): readonly Rule[] {
  return AREAS.flatMap((area, a) =>
    Array.from({ length: perArea }, (_, index) => {
      const [prefix, subject] = [area.toUpperCase().replace(/S$/, ''), SUBJECTS[index % 6]];
      return rule(`${prefix}-${subject}-${'ABCDEFG'[Math.floor(index / 6)]}`, {
        area,
        level: index % 11 === 10 ? 'SHOULD' : index === 20 ? 'MAY' : 'MUST',
        statement: STATEMENTS[(index + a) % STATEMENTS.length] as string,
        needs: area === 'sca' ? ['sca'] : [],
        ...(index === 37 ? { excluded: 'Only the books of the service could show it.' } : {}),
      });
    }),
  );
}

/** What the test of one rule shows broken: each third elsewhere than at the rule, some with more to tell. */
function sampleFinding(id: string, index: number, exchanges: readonly string[]): Finding {
  const input = `{ "remittanceInformation": "${'a'.repeat(81)}" }`;
  return {
    ...{ rule: id, exchanges },
    place: index % 3 === 1 ? 'AgentAction/status' : id,
    message:
      index % 3 === 1
        ? 'AgentAction/status must be one of PENDING_APPROVAL, APPROVED, REJECTED, EXECUTED, FAILED; seen "WAITING".'
        : 'Expected an action in PENDING_APPROVAL for 100.01 with a threshold of 100.00.\nSeen: APPROVED.',
    ...(index === 2 ? { counterexample: { seed: 42, path: '3:0:1', input, runs: 118 } } : {}),
    ...(index === 4 ? { known: 'Ticket 1234: fixed in the next release.' } : {}),
  };
}

function sampleTest({ id, area }: Rule, index: number, isBroken: boolean, length: number): TestRecord {
  const label = `${area}/flow-${(index % 7) + 1}.spec.ts › case ${index + 1} of the flow`;
  const exchanges = Array.from({ length }, (_, n) =>
    exchange(`t${index}.${n}`, n % 2 === 0 ? {} : { label: 'transfer 100.00 out, exactly at the threshold' }),
  );
  const ids = exchanges.map((one) => one.id);
  const left = { rules: [id], exchanges };
  if (isBroken) {
    const findings = Array.from({ length: 1 + (index % 4) }, () => sampleFinding(id, index, ids));
    const checks = [check('failed', { rule: id, exchanges: ids })];
    const failed = { outcome: 'failed', standing: 'stopped' } as const;
    return record({ label, ...failed, journal: journal({ ...left, findings, checks }) });
  }
  const standing = index % 29 === 28 ? 'inconclusive' : index % 17 === 16 ? 'unprepared' : undefined;
  if (standing !== undefined) {
    const reason = OPEN[standing];
    const skipped = { standing, reason, outcome: 'skipped' } as const;
    return record({ label, ...skipped, journal: journal({ ...left, [standing]: reason }) });
  }
  const observation = { question: 'which-code-foreign-account', answer: 'ACCOUNT_NOT_FOUND' };
  return record({
    label,
    journal: journal({
      ...left,
      seen: { [id]: 3 },
      checks: [check('passed', { rule: id, exchanges: ids })],
      observations: index % 40 === 0 ? [{ ...observation, exchanges: ids.slice(0, 1) }] : [],
    }),
  });
}

/** Input of a run with about 300 rules. */
export function sampleInput({ defects, exchanges = 240, rulesPerArea = 38 }: SampleOptions): RunInput {
  const rules = sampleRules(rulesPerArea);
  const judged = rules.filter((each) => each.area !== 'sca' && each.excluded === undefined).slice(0, 120);
  const length = Math.ceil(exchanges / judged.length);
  const tests = judged.map((each, index) => sampleTest(each, index, index < defects, length));
  return {
    assay: {
      target: {
        name: 'Example Payments sandbox',
        baseUrl: 'https://sandbox.example.test/service/2025-10-13',
        brand: 'Service',
        embedded: false,
        capabilities: ['agents', 'agent-approval', 'quotes', 'credentials'],
        preparation: 'provider-states',
      },
    },
    rules,
    questions: [
      {
        id: 'which-code-foreign-account',
        section: 'Agent transfer-out > Errors',
        question: 'Which error code answers a transfer to another customer’s account?',
        area: 'agents',
      },
      {
        id: 'remittance-unit',
        section: 'TransferOutRequest',
        question: 'What counts as one character of a remittance text?',
        area: 'agents',
      },
    ],
    coverageOf: () => 'nothing',
    tests,
    startedAt: '2026-11-21T10:20:00.000Z',
    milliseconds: 18_432,
    errors: [],
    partial: false,
    version: '0.1.0',
  };
}

export function sampleReport(options: SampleOptions): {
  readonly input: RunInput;
  readonly report: ConformanceReport;
} {
  const input = sampleInput(options);
  return { input, report: buildReport(input) };
}

/** Tests as Playwright shows them to its reporters, so that these can be fed without a run. */

/** How a test ended, once. */
export interface Try {
  /** `passed` where nothing is said. */
  readonly status?: TestResult['status'];
  /** Messages of its errors. */
  readonly errors?: readonly string[];
  /** What it left behind; a text stands as it is. */
  readonly journal?: Partial<Journal> | string;
}

/** @param retry how many tries there were before */
export function resultOf({ status = 'passed', errors = [], journal: left }: Try, retry = 0): TestResult {
  const text = typeof left === 'string' ? left : JSON.stringify(journal(left));
  const attachment = { name: JOURNAL_ATTACHMENT, contentType: 'application/json', body: Buffer.from(text) };
  return {
    ...{ status, retry, duration: 1_234, annotations: [] },
    errors: errors.map((message) => ({ message })),
    attachments: left === undefined ? [] : [attachment],
  } as unknown as TestResult;
}

export function testCase(
  title: string,
  tries: readonly Try[],
  more: { readonly rules?: readonly string[]; readonly expected?: TestCase['expectedStatus'] } = {},
): TestCase {
  const { rules = ['THING-A'], expected = 'passed' } = more;
  const results = tries.map(resultOf);
  return {
    ...{ title, annotations: [], retries: 1, expectedStatus: expected, results },
    tags: rules.map((rule) => `@${rule}`),
    titlePath: () => ['', '', 'agents/approval.spec.ts', title],
    location: { file: '/x/specs/agents/approval.spec.ts', line: 12, column: 1 },
    outcome(this: TestCase) {
      const asExpected = results.filter(({ status }) => status === this.expectedStatus).length;
      return asExpected === results.length ? 'expected' : asExpected > 0 ? 'flaky' : 'unexpected';
    },
  } as unknown as TestCase;
}
