import { existsSync } from 'node:fs';

const USUAL = '/usr/bin/chromium';

/**
 * The Chromium of this machine: that of the variable CHROMIUM, or the one where packages put it. None is downloaded.
 * @throws Error with one sentence that says what to do
 */
export function chromiumPath(): string {
  const named = process.env['CHROMIUM'];
  const path = named ? named : USUAL;
  if (existsSync(path)) return path;
  throw new Error(
    named
      ? `The browser run needs Chromium, and CHROMIUM names ${named}, which does not exist.`
      : `The browser run needs Chromium, and there is none at ${USUAL}: install it (apt install chromium), or set CHROMIUM to its path.`,
  );
}

/** Ends the run before its first test where there is no browser: a run that was asked for must not pass unseen. */
export default function checkChromium(): void {
  try {
    chromiumPath();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}
