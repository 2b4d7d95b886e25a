import { readFileSync } from 'node:fs';
import { JOURNAL_ATTACHMENT, type Journal } from './types.ts';

/** The part of a Playwright attachment that matters here. */
interface Attachment {
  readonly name: string;
  readonly body?: Buffer | undefined;
  readonly path?: string | undefined;
}

/** Several reporters read the journal of a test when it ends, one after the other. */
let last: { readonly attachment: Attachment; readonly journal: Journal } | undefined;

/**
 * The journal of one test result; the last one where there are several.
 *
 * @returns undefined when the test left none
 * @throws Error when there is one that cannot be read: evidence was lost, and nobody may call that a pass
 */
export function readJournal(attachments: readonly Attachment[]): Journal | undefined {
  const attachment = attachments.findLast((each) => each.name === JOURNAL_ATTACHMENT);
  if (!attachment) return undefined;
  if (attachment === last?.attachment) return last.journal;
  let journal: Partial<Journal> | null;
  try {
    const text = attachment.body?.toString('utf8') ?? readFileSync(attachment.path ?? '', 'utf8');
    journal = JSON.parse(text) as Partial<Journal> | null;
  } catch (error) {
    throw new Error('its journal cannot be read', { cause: error });
  }
  if (journal?.version !== 1) throw new Error('its journal has an unknown version');
  const whole: Journal = {
    ...journal,
    version: 1,
    rules: journal.rules ?? [],
    seen: journal.seen ?? {},
    checks: journal.checks ?? [],
    findings: journal.findings ?? [],
    observations: journal.observations ?? [],
    exchanges: journal.exchanges ?? [],
  };
  last = { attachment, journal: whole };
  return whole;
}
