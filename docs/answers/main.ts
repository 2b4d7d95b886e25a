import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { areas } from '../../sandbox/areas/index.ts';
import { ANSWERS, type Answers, samePath, sandboxDocument } from '../../sandbox/pages/document.ts';
import { readYaml } from '../../schemas/read-yaml.ts';
import { VERSION } from '../../sandbox/server/server.ts';
import { startSandbox } from '../../sandbox/start.ts';
import { merged, type Records, type Shape, shapeOf } from './shapes.ts';
import { type Values, walkSteering } from './walk.ts';

/*
 * What the sandbox answers. `npm run answers -- [exchanges.ndjson …]` adds to sandbox/pages/answers.json, for the sandbox's own
 * document, what runs of the suite saw (the last one where no file is named), and what a walk through the rest sees. With `--check`
 * it only says what is not in that document yet, be it seen or an example of openapi.yaml.
 */

/** One answer, by the operation that gave it. */
interface Answer {
  /** `POST /quotes/:quoteId/execute`. */
  readonly operation: string;
  readonly status: number;
  /** Undefined where there was none. */
  readonly body: unknown;
}

/** The document as it is now. */
const document = sandboxDocument(areas) as {
  readonly paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, { $ref?: string }> }>
  >;
};

/** Paths without parameters first, as a router takes them. */
const routes = areas
  .flatMap((area) => area.routes)
  .map(({ method, path }) => ({
    ...{ method, operation: `${method} ${path}` },
    fits: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
    parameters: path.split(':').length,
  }))
  .sort((one, other) => one.parameters - other.parameters);

/** The base of a world that does what the interface says, and the path below it. */
const BELOW = new RegExp(`^/(?:default|world\\.[\\w-]+)/${VERSION}(/.*)$`);

/** How a body ends of which only the beginning was kept. */
const CUT = /… \(\d+ characters\)$/;

const USUAL = 'reports/out/exchanges.ndjson';

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean' } },
  allowPositionals: true,
});
const files = positionals.length > 0 || !existsSync(USUAL) ? positionals : [USUAL];
const seen = [...files.flatMap(recorded), ...(await walked())];
if (values.check === true) check([...seen, ...shownAsExamples()]);
else writeFileSync(ANSWERS, printed(added(seen)));

/** What a run of the suite saw. Its secrets are masked, which changes no shape. */
function recorded(file: string): readonly Answer[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.flatMap((line) => {
    const { request, response } = JSON.parse(line) as {
      request: { method: string; url: string };
      response?: { status: number; body?: string };
    };
    return response ? answerOf(request.method, request.url, response.status, response.body ?? '') : [];
  });
}

/** What schemas/examples.yaml shows. */
function shownAsExamples(): readonly Answer[] {
  const byId = new Map(routes.map(({ operation }) => [described(operation).operationId, operation]));
  const examples = readYaml('examples.yaml') as Record<string, { answers: Record<string, Values> }>;
  return Object.entries(examples).flatMap(([id, { answers: byStatus }]) =>
    Object.entries(byStatus).flatMap(([status, shown]) =>
      Object.values(shown).map((example: { value: unknown }) => ({
        ...{ operation: byId.get(id)!, status: Number(status), body: example.value },
      })),
    ),
  );
}

/** What the document says of an operation, and where. */
function described(operation: string) {
  const [method = '', path = ''] = operation.split(' ');
  const found = Object.keys(document.paths).find((one) => samePath(one, path))!;
  return { path: found, method: method.toLowerCase(), ...document.paths[found]![method.toLowerCase()]! };
}

async function walked(): Promise<readonly Answer[]> {
  const sandbox = await startSandbox();
  const given: Answer[] = [];
  const basic = `Basic ${btoa(`${sandbox.clientId}:${sandbox.clientSecret}`)}`;
  try {
    await walkSteering(async (line, body, token) => {
      const [method = '', path = ''] = line.split(' ');
      const url = sandbox.url + path;
      const headers = {
        authorization: token === undefined ? basic : `Bearer ${token}`,
        'content-type': 'application/json',
      };
      const answer = await fetch(url, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      given.push(...answerOf(method, url, answer.status, text));
      return (text === '' ? {} : JSON.parse(text)) as Values;
    });
    return given;
  } finally {
    await sandbox.close();
  }
}

/** None where the address is that of no operation. */
function answerOf(method: string, url: string, status: number, text: string): readonly Answer[] {
  const path = BELOW.exec(new URL(url).pathname)?.[1];
  const route = routes.find((one) => one.method === method && path !== undefined && one.fits.test(path));
  if (!route || CUT.test(text)) return [];
  return [{ operation: route.operation, status, body: text === '' ? undefined : JSON.parse(text) }];
}

/** What is known already, and what these answers add. */
function added(more: readonly Answer[]): Answers {
  const known = JSON.parse(readFileSync(ANSWERS, 'utf8')) as Answers;
  const records: Records = new Map(Object.entries(known.records));
  const operations = structuredClone(known.operations) as Record<
    string,
    Record<string, Shape | string[] | null>
  >;
  for (const { operation, status, body } of more) {
    const answers = (operations[operation] ??= {});
    const before = answers[status];
    if (status >= 400) answers[status] = withCode(before as string[] | undefined, body);
    else if (body === undefined) answers[status] = null;
    else {
      const shape = shapeOf(body, records);
      answers[status] = before ? merged(before as Shape, shape) : shape;
    }
  }
  return { records: Object.fromEntries(records), operations };
}

function withCode(known: readonly string[] = [], body: unknown): string[] {
  return [...new Set([...known, (body as { code: string }).code])].sort();
}

/** One line for each record and each operation, so that a difference can be read. */
function printed({ records, operations }: Answers): string {
  const lines = (rows: object) =>
    Object.entries(rows)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, row]) => `    ${JSON.stringify(name)}: ${JSON.stringify(row)}`)
      .join(',\n');
  return `{\n  "records": {\n${lines(records)}\n  },\n  "operations": {\n${lines(operations)}\n  }\n}\n`;
}

/** Says which answers the document does not have or describes otherwise, and ends with 1 where there are some. */
function check(answers: readonly Answer[]): void {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'sandbox');
  const wrong = new Set<string>();
  for (const { operation, status, body } of answers) {
    const { path, method, responses } = described(operation);
    const response = responses[status];
    const pointer = response?.$ref ?? `#/paths/${path.replaceAll('/', '~1')}/${method}/responses/${status}`;
    if (!response) wrong.add(`${operation} answered ${status}`);
    else if (body !== undefined && !ajv.validate(`sandbox${pointer}/content/application~1json/schema`, body))
      wrong.add(`${operation} ${status}: ${ajv.errorsText()}`);
  }
  if (wrong.size === 0)
    return console.log(`The sandbox's own document has all of ${answers.length} answers.`);
  console.error(`Not in the sandbox's own document:\n  ${[...wrong].join('\n  ')}`);
  console.error(
    '`npm run answers` after a run of the suite brings it up to date; examples are mended in schemas/examples.yaml.',
  );
  process.exitCode = 1;
}
