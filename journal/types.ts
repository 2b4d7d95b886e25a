/**
 * What one test leaves behind: the only thing that the reports read. It travels as a JSON attachment, so it
 * survives shards, blob files and merges.
 */

/** Name of the attachment that carries a test's journal. */
export const JOURNAL_ATTACHMENT = 'assay-journal';

/** Environment variable of a run whose reporters give tests their colour by their journals; set before the workers start. */
export const COLOURS_ENV = 'ASSAY_COLOURS';

/** One request and its answer, masked. */
export interface RecordedExchange {
  /** Unique within the run: `<test id>.<counter>`. */
  readonly id: string;
  /** What the exchange was for, in plain words. */
  readonly label: string;
  /** Operation of the contract, or undefined for an unknown route. */
  readonly operation?: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly milliseconds: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  /** Why there is no answer, in one sentence. */
  readonly failure?: string;
  /** The target sent it by itself; the response is what it was told. */
  readonly arrived?: true;
  /**
   * Where masked parts of the request came from, by `header:<name>` or `body:<pointer>`: `<state or exchange>#<pointer>`,
   * `platform` for the configured credentials, `basic <id> <secret>`, `invented <how> <text>` with `‹references›` to what is
   * known, or `made` by the caller.
   */
  readonly origins?: Readonly<Record<string, string>>;
}

/** A situation that was prepared before the requests. */
export interface Prepared {
  /** Begins as the ids of its test's exchanges do. */
  readonly id: string;
  readonly state: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** What the preparation gave, masked. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Who prepared it: `provider-states`, `public-calls` or `fixtures`. */
  readonly by: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** A part of an answer that a check stood on. */
export interface Looked {
  readonly exchange: string;
  /** JSON pointers, or `#status`, `#body` and `#header/<name>` for what is no body. */
  readonly pointers: readonly string[];
}

/** A counterexample found by fast-check, enough to replay it. */
export interface Counterexample {
  readonly seed: number;
  readonly path: string;
  /** Smallest failing input, as text. */
  readonly input: string;
  readonly runs: number;
}

/** One observed breach of one rule. */
export interface Finding {
  readonly rule: string;
  /** Where: a component and pointer for shapes (`AgentAction/status`), the rule id itself for behaviour. */
  readonly place: string;
  /** What was expected and what was seen, in one or two sentences. */
  readonly message: string;
  /** Ids of the exchanges that show it. */
  readonly exchanges: readonly string[];
  readonly counterexample?: Counterexample;
  /** Listed in the known-failures file, with the reason given there. */
  readonly known?: string;
  /**
   * The breach stands on an answer that may be trouble of the moment (a 5xx, a page of something in between), in one
   * sentence. Such a finding accuses only where the repeat of its test shows it again.
   */
  readonly trouble?: string;
  /**
   * Keys of the dialect that the request stood on. Where neither this run nor the profile has shown that the target
   * speaks them, the finding accuses nobody: it may only not have understood us.
   */
  readonly assumes?: readonly string[];
  /** The operation of openapi.yaml that was answered with a fault of the service, where that is what was seen. */
  readonly faultOf?: string;
  /** Where in the answers the breach stands. */
  readonly looked?: readonly Looked[];
  /** Line of the spec, such as `specs/agents/approval.spec.ts:31`. */
  readonly line?: string;
}

type CheckOutcome = 'passed' | 'failed' | 'inconclusive';

/** The result of one `check()`. */
export interface CheckResult {
  readonly rule: string;
  readonly outcome: CheckOutcome;
  /** Present unless passed. */
  readonly reason?: string;
  readonly exchanges: readonly string[];
  /** Inconclusive over trouble of the moment (no answer, a 5xx, a rate limit): another run may well tell. */
  readonly trouble?: true;
  /** What would let the check tell, as an order. */
  readonly mend?: string;
}

/** What a target does where the interface is silent. */
export interface Observation {
  /** kebab-case id of the question. */
  readonly question: string;
  /** The target's answer, as short text or a small JSON value. */
  readonly answer: unknown;
  readonly exchanges: readonly string[];
}

export interface Journal {
  readonly version: 1;
  /** Rules that the test can verify. */
  readonly rules: readonly string[];
  /** Rules of shapes that an answer was held against, with the number of times. */
  readonly seen: Readonly<Record<string, number>>;
  readonly checks: readonly CheckResult[];
  readonly findings: readonly Finding[];
  readonly observations: readonly Observation[];
  readonly exchanges: readonly RecordedExchange[];
  /** What was prepared, in order. */
  readonly prepared?: readonly Prepared[];
  /** Ids of exchanges that were shown to be accepted, so that the rest proves something. */
  readonly controls?: readonly string[];
  /** A state or capability that the target lacks: rules without a check stay `not verified` for this reason. */
  readonly unprepared?: string;
  /** A control that the target refused: rules that no other test shows become `inconclusive` for this reason. */
  readonly refused?: string;
  /** A failed preparation or condition: rules without a check become `inconclusive` for this reason. */
  readonly inconclusive?: string;
  /** What would mend `unprepared`, `refused` or `inconclusive`, as an order: "serve the state `sca-customer`". */
  readonly mend?: string;
  /** Trouble that the test met, in one sentence: it is repeated once. Absent where there was none. */
  readonly trouble?: string;
  /** The target itself was not well while the test ran: every finding of this attempt is in doubt, not only marked ones. */
  readonly unwell?: true;
  /** The target had gone away for good when this test was to run: it did not run. */
  readonly gone?: GoneAway;
  /** Keys of the dialect that the target was seen to speak: something that stands on them was accepted. */
  readonly spoken?: readonly string[];
}

/** A target that stopped answering in the middle of a run. */
export interface GoneAway {
  /** When it was first found not to answer, ISO 8601 UTC. */
  readonly at: string;
  /** What it does instead, in plain words. */
  readonly why: string;
  /** The last exchange that was answered. */
  readonly lastAnswered?: { readonly label: string; readonly at: string; readonly status: number };
}
