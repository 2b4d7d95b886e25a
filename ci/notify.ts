/** Writes notification.md, and sends it to NOTIFY_URL where one is set. Never changes how a night ends. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpClient } from '../client/http/http-client.ts';
import { MARKER } from '../reports/folder/folder.ts';
import { FILES } from '../reports/write/write-files.ts';

const [folder = 'nightly', code = '0'] = process.argv.slice(2);
// A folder that holds anything but a report is nobody's to read or to write.
const isOurs = existsSync(join(folder, MARKER));
/** Where a person can read on: what CI servers say of a job. */
const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID, CI_JOB_URL, BUILD_URL } = process.env;
const link =
  GITHUB_RUN_ID && GITHUB_SERVER_URL && GITHUB_REPOSITORY
    ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`
    : (CI_JOB_URL ?? BUILD_URL);
const file = join(folder, FILES.summary);
const summary =
  isOurs && existsSync(file)
    ? readFileSync(file, 'utf8')
    : 'The night left no report: nothing could be judged.\n';
const text = `${summary}\nExit code ${code}${link ? `, [the run](${link})` : ''}\n`;
if (isOurs) writeFileSync(join(folder, 'notification.md'), text);

const url = process.env['NOTIFY_URL']?.trim();
if (url) {
  const http = new HttpClient({ timeoutMs: 15_000 });
  const headers = { 'content-type': 'application/json' };
  const { response, failure } = await http.send({
    method: 'POST',
    url,
    headers,
    body: JSON.stringify({ text }),
  });
  // The address of a webhook is a secret; a failure never tells it.
  if (failure !== undefined) console.error(`The notification could not be sent: ${failure}.`);
  else if (response!.status >= 300) console.error(`The notification was answered ${response!.status}.`);
  await http.close();
}
