// Everything below is the same in every such file.
import { randomUUID } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';

const MASK = '••••••';
/** Members whose values follow the exchange rate. */
const RATED = /rate|receiving|multiplier|fee/i;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const ID = /^(?:\w+:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Milliseconds between two steps at least: times that are nearer were made by one. */
const APART = 25;
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
  await new Promise((resolve) => setTimeout(resolve, Math.max(steps[0]?.after ?? 0, APART)));
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
  const sentAt = Date.now();
  const answer = await send(step.method, /^https?:/.test(path) ? path : base + path, headers, body);
  answers.set(step.id, { ...answer, sentAt });
  const otherwise =
    step.status === undefined || step.status === answer.status ? '' : ` (then ${step.status})`;
  given.set(step.id, parsed(answer.text));
  console.log(`sent      ${step.label}: ${step.method} ${path} → ${answer.status}${otherwise}`);
  const isLookedAt = plan.seen.some(({ exchange }) => exchange === step.id);
  const failed =
    otherwise && (isLookedAt ? isTrouble(answer.status) : isGood(step.status) && !isGood(answer.status));
  if (failed)
    stop(
      `"${step.label}" went otherwise than then, so that nothing can be told: ${answer.text.slice(0, 300)}`,
    );
}

function isGood(status) {
  return status >= 200 && status <= 299;
}

/** Too many requests, or something in between that is not well: says nothing of the service. */
function isTrouble(status) {
  return status === 429 || status >= 500;
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
  if (name.startsWith('invented ')) return invented(name);
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

/** Credentials that the test made up, from what it made them of. */
function invented(name) {
  const [, how, text] = /^invented (\S+) (.*)$/s.exec(name);
  const plain = text.replace(
    /‹([^›]*?)( but its end| in capitals| in small letters)?›/g,
    (_whole, of, change) => {
      const value = String(
        of === 'client id' ? env('CLIENT_ID') : of === 'client secret' ? env('CLIENT_SECRET') : valueOf(of),
      );
      if (change === ' but its end') return value.slice(0, -1);
      if (change === ' in capitals') return value.toUpperCase();
      return change === undefined ? value : value.toLowerCase();
    },
  );
  return how === 'base64' ? Buffer.from(plain).toString('base64') : plain;
}

function basic(id, secret) {
  return Buffer.from(`${id}:${secret}`).toString('base64');
}

/** Holds what was seen then against what is seen now. */
function compare() {
  const then = plan.seen.map((sight) => ('value' in sight ? asNow(sight.value) : undefined));
  const now = plan.seen.map(({ exchange, pointer }, index) => {
    const value = look(answers.get(exchange), pointer);
    return typeof then[index] === 'string' && then[index].includes(MASK) && typeof value === 'string'
      ? then[index]
      : value;
  });
  const stepOf = ({ exchange }) => plan.steps.find(({ id }) => id === exchange);
  const before = normal(
    then,
    plan.seen.map((sight) => stepOf(sight)?.at),
    4,
  );
  const after = normal(
    now,
    plan.seen.map(({ exchange }) => answers.get(exchange)?.sentAt),
    APART - 5,
  );
  const differs = plan.seen.filter((_sight, index) => before[index] !== after[index]);
  console.log('');
  for (const [index, { exchange, pointer }] of plan.seen.entries()) {
    const { label } = stepOf({ exchange }) ?? {};
    const mark = before[index] === after[index] ? 'same  ' : 'differs';
    console.log(`${mark}  "${label}" ${pointer}: then ${short(then[index])}, now ${short(now[index])}`);
  }
  console.log(differs.length === 0 ? '\nThe breach is there again.' : '\nThe breach was not seen this time.');
  return differs.length === 0;
}

/** References in what was seen then, as what this run was given there. */
function asNow(value) {
  if (typeof value === 'string') {
    const [, id, pointer] = /^⟦([^#⟧]*)#([^⟧]*)⟧$/.exec(value) ?? [];
    return id === undefined ? value : String(at(given.get(id), pointer) ?? value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asNow);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asNow(inner)]));
}

/** Ids that an earlier step gave, outside of lists. */
function idsBefore(step) {
  const found = new Set();
  const walk = (value) => {
    if (typeof value === 'string' && UUID.test(value)) found.add(value);
    else if (typeof value === 'object' && value !== null && !Array.isArray(value))
      Object.values(value).forEach(walk);
  };
  for (const { id } of plan.steps.slice(0, plan.steps.indexOf(step))) walk(given.get(id));
  return found;
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
 * Ids and times are other ones each time: of ids it matters which are the same; of times whether they lie about the moment
 * of their call, before or after it, and which are the same. In a body that is taken as a whole, times are compared with
 * those of the same name in other bodies.
 */
function normal(seen, sentAts, together) {
  const ids = new Map();
  const moments = new Map();
  const before = plan.seen.map(({ exchange }) => idsBefore(plan.steps.find(({ id }) => id === exchange)));
  const isWhole = (index) => ['', '#body'].includes(plan.seen[index].pointer);
  const plain = (text, name, sentAt, earlier) => {
    if (isTime(text)) return time(Date.parse(text), name, sentAt) + (text.endsWith('Z') ? '' : ' of a zone');
    if (earlier.has(text) || /^-?\d{16,}$/.test(text)) return text;
    if (/^(?=.*\d)[\w+/=-]{40,}$/.test(text)) return '<made up>';
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return '<day>';
    return text.replace(
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[\w-]*\d)[\w-]{24,}|(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z\d]{8,}|•{3,}|\d{6,}/gi,
      (id) => {
        if (id.includes('•')) return '<secret>';
        if (!ids.has(id)) ids.set(id, `<id ${ids.size + 1}>`);
        return ids.get(id);
      },
    );
  };
  // Rates are others each day: it matters which amounts are the same, and of what kind each is.
  const rated = (value) => {
    const kind = value === 0 ? 'nothing' : value < 0 ? 'below nothing' : kindsIn(value);
    if (!ids.has(value)) ids.set(value, `<amount ${ids.size + 1}, ${kind}>`);
    return ids.get(value);
  };
  const time = (at, name, sentAt) => {
    const known = moments.get(name) ?? [];
    moments.set(name, known);
    // What one request did at one moment may be a few milliseconds apart; steps are further apart than that.
    let which = known.findIndex((other) => Math.abs(other - at) < together);
    if (which < 0) which = known.push(at) - 1;
    const away = Math.round(Math.log(Math.abs(at - sentAt)) / Math.log(1.5));
    const when = Math.abs(at - sentAt) < 100_000 ? 'now' : at > sentAt ? `later ${away}` : `before ${away}`;
    return `<time ${which + 1}, ${when}>`;
  };
  const walk = (value, name, sentAt, earlier) => {
    if (typeof value === 'string' && /^[[{]/.test(value) && typeof asJson(value) === 'object')
      return { text: kindsIn(asJson(value)) };
    if (typeof value === 'string') return plain(value, name, sentAt, earlier);
    if (typeof value === 'number') return RATED.test(name) ? rated(value) : numberOf(value, sentAt);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((inner) => walk(inner, name, sentAt, earlier));
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, walk(inner, key, sentAt, earlier)]),
    );
  };
  return seen.map((value, index) => {
    if (plan.seen[index].kinds) {
      const idOf = (text) => (ID.test(text) ? plain(text, '', sentAts[index], before[index]) : 'text');
      return JSON.stringify(kindsIn(asJson(value), idOf)) ?? 'nothing';
    }
    const name = isWhole(index) ? '' : plan.seen[index].pointer.replace(/.*\//, '');
    const whole = isWhole(index) ? asJson(value) : value;
    const text = JSON.stringify(walk(whole, name, sentAts[index], before[index])) ?? 'nothing';
    // How far an execution has come by then is chance.
    return isWhole(index) ? text.replaceAll('"PROCESSING"', '"COMPLETED"') : text;
  });
}

/** A number that counts seconds or milliseconds until about now is another one each time. */
function numberOf(value, sentAt) {
  const years = 10 * 366 * 86_400_000;
  if (Math.abs(value - sentAt) < years) return '<time in milliseconds>';
  if (Math.abs(value * 1000 - sentAt) < years) return '<time in seconds>';
  return value;
}

/**
 * The members of a value, and what kind of thing each is.
 *
 * @param kindOf a text that is no time; not within lists, which have another length the next time
 */
function kindsIn(value, kindOf = () => 'text') {
  if (typeof value === 'string') return isTime(value) ? 'time' : kindOf(value);
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  if (Array.isArray(value)) return [...new Set(value.map((one) => JSON.stringify(kindsIn(one))))].sort();
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, kindsIn(value[key], kindOf)]),
  );
}

/** The text of a body, as the JSON that it is. */
function asJson(value) {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return value;
  }
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
