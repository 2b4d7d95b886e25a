import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createInstrumenter, type Instrumenter } from '@stryker-mutator/instrumenter';
import { createInjector } from 'typed-inject';
import { WORK_FOLDER } from '../reach/default-world.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Texts are messages and codes: what a code must be has planted faults, and a message may be any. */
const EXCLUDED = ['StringLiteral'];

/** One small mechanical change of the sandbox's behaviour. */
export interface Mutant {
  /** Digits; the same for the same sandbox. */
  readonly id: string;
  /** Below sandbox/. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The kind of change, as its maker calls it. */
  readonly kind: string;
  readonly was: string;
  readonly becomes: string;
  /** Whether its code runs when its file is loaded, once for all worlds: there it cannot be switched on for one of them. */
  readonly atLoad?: true;
}

/** A sandbox in which every mutant is built in and sleeps. */
interface MutatedSandbox {
  /** Folder of the copy. */
  readonly folder: string;
  readonly mutants: readonly Mutant[];
}

/**
 * Copies the sandbox and builds all mutants of its behaviour into the copy.
 *
 * @param digest of the sandbox: a copy that is there already is taken as it is
 */
export async function mutatedSandbox(digest: string): Promise<MutatedSandbox> {
  const home = join(WORK_FOLDER, `mutated-${digest}`);
  const list = join(home, 'mutants.json');
  const folder = join(home, 'sandbox');
  if (existsSync(list)) return { folder, mutants: JSON.parse(readFileSync(list, 'utf8')) as Mutant[] };
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  cpSync(join(ROOT, 'sandbox'), folder, { recursive: true });
  // The sandbox reads the contract's shapes, and the names of states, from beside itself.
  for (const name of ['schemas', 'target']) symlinkSync(join(ROOT, name), join(home, name), 'junction');
  const files = behaviourFiles(folder).map((name) => ({
    name,
    content: readFileSync(name, 'utf8'),
    mutate: true,
  }));
  const instrumented = await instrumenter().instrument(files, {
    plugins: null,
    ignorers: [],
    excludedMutations: EXCLUDED,
  } as Parameters<Instrumenter['instrument']>[1]);
  for (const { name, content } of instrumented.files) writeFileSync(name, content);
  const sources = new Map(files.map(({ name, content }) => [name, content]));
  const atLoad = await metWhenLoaded(folder);
  const mutants = instrumented.mutants
    .filter(({ status }) => status === undefined)
    .map(({ id, fileName, location, mutatorName, replacement }) => ({
      id,
      file: fileName.slice(folder.length + 1).replaceAll('\\', '/'),
      line: location.start.line + 1,
      kind: mutatorName,
      was: textAt(sources.get(fileName) ?? '', location),
      becomes: replacement.replace(/\s+/g, ' '),
      ...(atLoad.has(id) ? { atLoad: true as const } : {}),
    }));
  writeFileSync(list, JSON.stringify(mutants));
  return { folder, mutants };
}

async function metWhenLoaded(folder: string): Promise<ReadonlySet<string>> {
  const mutantCoverage = { static: {}, perTest: {} };
  (globalThis as { __stryker__?: object }).__stryker__ = { mutantCoverage };
  await import(pathToFileURL(join(folder, 'start.ts')).href);
  return new Set(Object.keys(mutantCoverage.static));
}

function instrumenter(): Instrumenter {
  const silent = () => undefined;
  const logger = {
    isTraceEnabled: () => false,
    isDebugEnabled: () => false,
    isInfoEnabled: () => false,
    isWarnEnabled: () => false,
    isErrorEnabled: () => false,
    isFatalEnabled: () => false,
    trace: silent,
    debug: silent,
    info: silent,
    warn: silent,
    error: silent,
    fatal: silent,
  };
  return createInjector().provideValue('logger', logger).injectFunction(createInstrumenter);
}

/** Modules of an area, but for its records' types, what prepares its states, and steering. */
function behaviourFiles(folder: string): string[] {
  const areas = join(folder, 'areas');
  return readdirSync(areas, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((area) => readdirSync(join(areas, area.name)).map((file) => join(areas, area.name, file)))
    .filter(
      (path) => path.endsWith('.ts') && !/[/\\](?:sandbox[/\\][^/\\]+|states|records|index)\.ts$/.test(path),
    )
    .sort();
}

interface Location {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

/** Lines from 0. */
function textAt(source: string, { start, end }: Location): string {
  const lines = source.split('\n').slice(start.line, end.line + 1);
  const last = lines.length - 1;
  const cut = lines.map((line, index) =>
    line.slice(index === 0 ? start.column : 0, index === last ? end.column : undefined),
  );
  return cut.join(' ').replace(/\s+/g, ' ').slice(0, 160);
}
