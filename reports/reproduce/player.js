// Everything below is the same in every such file.
import { createHash, randomUUID } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';

const MASK = '••••••';
const env = (name) => (process.env[name] ?? '').trim();
const base = (env('BASE_URL') || plan.baseUrl || '').replace(/\/+$/, '');
const missing = [
  base ? '' : 'BASE_URL (its last path segment is the version date)',
  plan.needsPlatform && !env('CLIENT_ID') ? 'CLIENT_ID' : '',
  plan.needsPlatform && !env('CLIENT_SECRET') ? 'CLIENT_SECRET' : '',
  plan.needsStates && !env('PROVIDER_STATES_URL') ? 'PROVIDER_STATES_URL' : '',
].filter(Boolean);
if (missing.length > 0) stop(`Set ${missing.join(', ')}, and run this again.`);

/** What states and answers gave this time. */
const given = new Map();
const answers = new Map();
const fresh = new Map();
const prepared = [];

console.log(`${plan.rule}: ${plan.title}\nSeen then: ${plan.message}\n`);
let group = [];
for (const step of plan.steps) {
  if (step.kind === 'call' && step.together) group.push(step);
  else {
    await play(group);
    group = [step];
  }
}
await play(group);
const isAgain = compare();
for (const [state, values] of prepared.reverse())
  await askForState('teardown', state, values).catch(() => undefined);
process.exitCode = isAgain ? 1 : 0;

async function play(steps) {
  // Answers that the test had at different times must not come at one time here.
  await new Promise((resolve) => setTimeout(resolve, Math.max(steps[0]?.after ?? 0, 5)));
  await Promise.all(steps.map((step) => (step.kind === 'state' ? prepare(step) : call(step))));
}

async function prepare(step) {
  const answer = await askForState('setup', step.state, JSON.parse(filled(step.params, true)));
  if (answer.status < 200 || answer.status > 299)
    stop(`The state "${step.state}" could not be prepared (${answer.status}): ${answer.text.slice(0, 300)}`);
  const values = parsed(answer.text) ?? {};
  given.set(step.id, values);
  prepared.push([step.state, values]);
  console.log(`prepared  the state "${step.state}" ${step.params}`);
}

function askForState(action, state, params) {
  const token = env('PROVIDER_STATES_TOKEN');
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  if (token) headers.authorization = `Bearer ${token}`;
  return send('POST', env('PROVIDER_STATES_URL'), headers, JSON.stringify({ state, params, action }));
}

async function call(step) {
  const path = filled(step.path);
  const headers = Object.fromEntries(
    Object.entries(step.headers).map(([name, value]) => [name, filled(value)]),
  );
  const body = step.body === undefined ? undefined : filled(step.body, true);
  const answer = await send(step.method, /^https?:/.test(path) ? path : base + path, headers, body);
  answers.set(step.id, answer);
  const otherwise =
    step.status === undefined || step.status === answer.status ? '' : ` (then ${step.status})`;
  given.set(step.id, parsed(answer.text));
  console.log(`sent      ${step.label}: ${step.method} ${path} → ${answer.status}${otherwise}`);
}

function send(method, url, headers, body) {
  const { request } = url.startsWith('https:') ? https : http;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sending = request(
      url,
      { method, headers: { ...headers, ...length }, timeout: 30_000 },
      (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: answer.statusCode, headers: answer.headers, text });
        });
      },
    );
    sending.on('timeout', () => sending.destroy(new Error('no answer within 30 s')));
    sending.on('error', reject);
    sending.end(body);
  }).catch((error) => stop(`${method} ${url} got no answer: ${error.message}`));
}

/** Puts what this run was given in the place of references. */
function filled(text, isJson = false) {
  return text.replace(/⟦([^⟧]*)⟧/g, (_whole, name) => {
    const value = String(valueOf(name));
    return isJson ? JSON.stringify(value).slice(1, -1) : value;
  });
}

function valueOf(name) {
  if (name === 'platform') return basic(env('CLIENT_ID'), env('CLIENT_SECRET'));
  if (name === 'made up') return createHash('sha256').update(randomUUID()).digest('hex');
  if (name.startsWith('fresh ')) {
    if (!fresh.has(name)) fresh.set(name, randomUUID());
    return fresh.get(name);
  }
  if (name.startsWith('basic ')) {
    const [id, secret] = name.slice('basic '.length).split(' ');
    return basic(valueOf(id), valueOf(secret));
  }
  const cut = name.indexOf('#');
  const value = at(given.get(name.slice(0, cut)), name.slice(cut + 1));
  if (value === undefined) {
    console.log('\nThe steps went another way this time, so the rest cannot be sent.');
    const played = plan.seen.filter(({ exchange }) => answers.has(exchange));
    plan.seen = played;
    if (played.length > 0 && !compare()) process.exit(0);
    stop('Whether the breach is there cannot be told.');
  }
  return value;
}

function basic(id, secret) {
  return Buffer.from(`${id}:${secret}`).toString('base64');
}

/** Holds what was seen then against what is seen now. */
function compare() {
  const then = plan.seen.map((sight) => ('value' in sight ? sight.value : undefined));
  const now = plan.seen.map(({ exchange, pointer }, index) => {
    const value = look(answers.get(exchange), pointer);
    return typeof then[index] === 'string' && then[index].includes(MASK) && typeof value === 'string'
      ? then[index]
      : value;
  });
  const [before, after] = [normal(then), normal(now)];
  const differs = plan.seen.filter((_sight, index) => before[index] !== after[index]);
  console.log('');
  for (const [index, { exchange, pointer }] of plan.seen.entries()) {
    const { label } = plan.steps.find(({ id }) => id === exchange) ?? {};
    const mark = before[index] === after[index] ? 'same  ' : 'differs';
    console.log(`${mark}  "${label}" ${pointer}: then ${short(then[index])}, now ${short(now[index])}`);
  }
  console.log(differs.length === 0 ? '\nThe breach is there again.' : '\nThe breach was not seen this time.');
  return differs.length === 0;
}

function look(answer, pointer) {
  if (!answer) return undefined;
  if (pointer === '#status') return answer.status;
  if (pointer.startsWith('#header/')) return answer.headers[pointer.slice('#header/'.length).toLowerCase()];
  if (pointer.startsWith('#')) return answer.text;
  const value = parsed(exactly(answer.text));
  return value === undefined ? (pointer === '' ? answer.text : undefined) : at(value, pointer);
}

/**
 * Ids and times are other ones each time: of ids it matters which are the same, of times which is earlier. In a body that is
 * taken as a whole there are times that nobody looked at: there it matters only that they are times.
 */
function normal(seen) {
  const ids = new Map();
  const isWhole = (index) => ['', '#body'].includes(plan.seen[index].pointer);
  const values = seen.map((value, index) => (isWhole(index) ? asJson(value) : value));
  const times = [
    ...new Set(
      values.flatMap((value, index) => (isWhole(index) ? [] : textsIn(value).filter(isTime).map(Date.parse))),
    ),
  ].sort((a, b) => a - b);
  const plain = (text, whole) => {
    if (isTime(text)) return whole ? '<time>' : `<time ${times.indexOf(Date.parse(text))}>`;
    return text.replace(
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{24,}|•{3,}/gi,
      (id) => {
        if (id.includes('•')) return '<secret>';
        if (!ids.has(id)) ids.set(id, `<id ${ids.size + 1}>`);
        return ids.get(id);
      },
    );
  };
  const walk = (value, whole) => {
    if (typeof value === 'string') return plain(value, whole);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((inner) => walk(inner, whole));
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner, whole)]));
  };
  return values.map((value, index) => JSON.stringify(walk(value, isWhole(index))) ?? 'nothing');
}

/** The text of a body, as the JSON that it is. */
function asJson(value) {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return value;
  }
}

function textsIn(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function isTime(text) {
  return /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));
}

function at(value, pointer) {
  let node = value;
  for (const key of pointer.split('/').slice(1)) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
    node = node[key];
  }
  return node;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A number that is too long for a double becomes a text. */
function exactly(text) {
  return text.replace(/"(?:\\.|[^"\\])*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi, (part) =>
    /^-?\d{16,}$/.test(part) ? `"${part}"` : part,
  );
}

function short(value) {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? 'nothing');
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function stop(sentence) {
  console.error(sentence);
  process.exit(2);
}
