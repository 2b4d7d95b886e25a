/** One request as it was sent. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Exact text of the body. */
  readonly body?: string;
}

/** One answer as it arrived: nothing followed, decompressed or merged. */
export interface ReceivedAnswer {
  readonly status: number;
  /** Lower-case names; repeated headers joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body holds bytes that are not UTF-8; in `text` they are replacement characters. */
  readonly notUtf8?: true;
}

/** A request with its answer, or with the reason why there is none. */
export interface Exchange {
  /** Milliseconds since the epoch when the request was sent. */
  readonly at: number;
  readonly milliseconds: number;
  /** How long it waited to be sent, for the pace that the target asks for, in milliseconds; no part of the time above. */
  readonly queuedMs?: number;
  readonly request: SentRequest;
  readonly response?: ReceivedAnswer;
  /** One sentence; present exactly when `response` is absent. */
  readonly failure?: string;
  /** Nothing went over the wire, as nobody has answered there for a while. */
  readonly heldBack?: true;
  /** Nothing went over the wire, as an earlier answer did not carry what the request needs. */
  readonly unsendable?: true;
}
