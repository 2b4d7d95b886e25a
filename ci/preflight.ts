/** Before a night: is there a service at this address that takes these credentials? One sentence, exit code 0 or 2. */
import { HttpClient } from '../client/http/http-client.ts';
import { chosenBaseline } from '../reports/folder/baseline.ts';
import { checkReportFolder, refuseForeignFiles, reportDir } from '../reports/folder/folder.ts';
import { FILES, clearReports, noteStepSummary, writeFiles } from '../reports/write/write-files.ts';
import { embeddedFromEnvironment } from '../suite/run/embedded-sandbox.ts';
import { preflight } from '../target/preflight.ts';
import { readSettings } from '../target/read-settings.ts';
import { UsageError } from '../target/usage-error.ts';

try {
  const { profile } = readSettings(process.env, embeddedFromEnvironment(process.env, ''));
  chosenBaseline(process.env);
  checkReportFolder(reportDir());
  refuseForeignFiles(reportDir());
  if (profile.embedded) console.log('Preflight: the embedded sandbox is started by each part.');
  else {
    const http = new HttpClient({ timeoutMs: profile.requestTimeoutMs });
    try {
      const { warnings } = await preflight(profile, http);
      for (const warning of warnings) console.warn(`Warning: ${warning}`);
      console.log(`Preflight: ${profile.baseUrl} can be judged.`);
    } finally {
      await http.close();
    }
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
  noteNotJudged(error.message);
}

/** The notification says why, and not what the night before came to. */
function noteNotJudged(why: string): void {
  try {
    const folder = reportDir();
    refuseForeignFiles(folder);
    clearReports(folder);
    const text = `**Not judged.** ${why}\n`;
    writeFiles(folder, { [FILES.summary]: text });
    noteStepSummary(text);
  } catch {
    // What is wrong with the folder may be the very reason.
  }
}
