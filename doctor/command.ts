import { harmless } from '../suite/run/error-text.ts';
import { UsageError } from '../target/usage-error.ts';

/**
 * Runs one command of the terminal: `--help` prints its usage, bad input ends with one sentence and exit code 2.
 *
 * @param usage what `--help` prints
 * @param run gets a printer that lets nothing of a target steer the terminal; returns the exit code
 */
export async function command(
  usage: string,
  run: (print: (text: string) => void) => Promise<number>,
): Promise<void> {
  if (process.argv.slice(2).includes('--help')) {
    console.log(usage);
    return;
  }
  try {
    process.exitCode = await run((text) => console.log(text.split('\n').map(harmless).join('\n')));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isOfArguments = code?.startsWith('ERR_PARSE_ARGS') === true;
    if (!(error instanceof UsageError) && !isOfArguments) throw error;
    console.error(isOfArguments ? `${message.split('. ')[0]}; --help lists what there is.` : message);
    process.exitCode = 2;
  }
}
