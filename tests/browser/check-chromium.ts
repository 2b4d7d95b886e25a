import { chromiumPath } from './chromium-path.ts';

/** Ends the run before its first test where there is no browser: a run that was asked for must not pass unseen. */
export default function checkChromium(): void {
  try {
    chromiumPath();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}
