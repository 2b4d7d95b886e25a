import type { TestInfo } from '@playwright/test';
import type { Answer } from './answer.ts';
import { withWalletNeeds, type Truthy, type WalletNeeds } from './api/wallet/needs.ts';
import { giveUp, type GiveUpKind } from './give-up.ts';
import type { JournalWriter } from '../journal/journal-writer.ts';

/** Conditions without which a test can prove nothing. None of them accuses the target. */
export interface Need extends WalletNeeds {
  /** The control: this answer must be a 2xx, else the test's open rules become `inconclusive`. */
  (answer: Answer): { accepted(): void; refused(): void; available(): void };
  /** Any other condition that the rest of the test stands on. @returns what it was given, known to be truthy */
  that<T>(condition: T, otherwise: string): Truthy<T>;
  /** A thing that the target may lack: without it the test's open rules stay `not verified`. @returns what it was given */
  offered<T>(condition: T, otherwise: string): Truthy<T>;
}

export function makeNeed(journal: JournalWriter, testInfo: TestInfo): Need {
  return needThat({
    stop: (kind, reason) => giveUp(journal, testInfo, kind, reason),
    control: ({ id }) => journal.control(id),
    trouble: (reason) => journal.meetTrouble(reason),
  });
}

/** What becomes of a condition. */
interface Ends {
  readonly stop: (kind: GiveUpKind, reason: string) => never;
  /** Notes an answer that was the control. */
  readonly control?: (answer: Answer) => void;
  /** Notes trouble of the moment. */
  readonly trouble?: (reason: string) => void;
}

/** The same conditions, with other ends than that of a test. */
export function needThat({ stop, control, trouble }: Ends): Need {
  const need = (answer: Answer) => {
    const stopOver = (kind: GiveUpKind, reason: string): never => {
      if (answer.trouble?.momentary) trouble?.(`"${answer.label}" was answered ${answer.trouble.what}`);
      return stop(kind, reason);
    };
    return conditions(answer, stopOver, control);
  };
  const orGiveUp =
    (kind: GiveUpKind) =>
    <T>(condition: T, otherwise: string): Truthy<T> =>
      condition ? (condition as Truthy<T>) : stop(kind, otherwise);
  return withWalletNeeds(
    Object.assign(need, { that: orGiveUp('inconclusive'), offered: orGiveUp('unprepared') }),
  );
}

function conditions(answer: Answer, stop: Ends['stop'], control: Ends['control']) {
  return {
    accepted() {
      if (is(answer, 2)) control?.(answer);
      else
        stop(
          'inconclusive',
          `the control "${answer.label}" was answered ${answer.told}, so what follows proves nothing`,
        );
    },
    refused() {
      if (!is(answer, 4))
        stop(
          'inconclusive',
          `"${answer.label}" was answered ${answer.told}, not refused, so what follows proves nothing`,
        );
    },
    available() {
      if (is(answer, 2)) return;
      if (answer.trouble && !isAbsent(answer))
        stop('inconclusive', `"${answer.label}" was answered ${answer.told}`);
      stop('unprepared', `this target does not offer "${answer.label}" (${answer.told})`);
    },
  };
}

/** What frameworks answer, in whatever form, for an operation that is not there. */
function isAbsent({ exchange }: Answer): boolean {
  return [404, 405, 501].includes(exchange.response?.status ?? 0);
}

function is(answer: Answer, family: number): boolean {
  return Math.floor((answer.exchange.response?.status ?? 0) / 100) === family;
}
