/**
 * Starts `main.ts` from one file, bundled from its sources and packages: reading more than a thousand files one by one takes
 * most of a second. The bundle's name is a digest of the sources, so that it is made again when one of them changes. Plain
 * JavaScript, since nothing translates it.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..');
/** Below node_modules, so that what is not bundled is found from there. */
const FOLDER = join(ROOT, 'node_modules/.cache/assay-sandbox');
/** The sources of the last bundle. */
const SOURCES = join(FOLDER, 'sources.json');

/** Whatever a file finds beside itself, it finds from the bundle too. */
const ownUrl = {
  name: 'own-url',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
};

/** What packages that are no modules expect to be there. */
const COMMONJS = `
import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url);
const __dirname = import.meta.dirname;`;

/** Path of a bundle of these sources. The lock file stands for all packages. */
async function bundleOf(sources) {
  const digest = createHash('sha256');
  for (const file of [...sources, 'sandbox/bundled.js', 'package-lock.json'])
    digest.update(`${file}\0`).update(await readFile(join(ROOT, file)));
  return join(FOLDER, `${digest.digest('hex')}.mjs`);
}

async function lastBundle() {
  const file = await bundleOf(JSON.parse(await readFile(SOURCES, 'utf8')));
  await readFile(file);
  return file;
}

async function newBundle() {
  const { build } = await import('esbuild');
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['sandbox/main.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: { js: COMMONJS },
    write: false,
    metafile: true,
    plugins: [ownUrl],
  });
  const sources = Object.keys(metafile.inputs).filter((file) => !file.startsWith('node_modules/'));
  const file = await bundleOf(sources);
  await mkdir(FOLDER, { recursive: true });
  const older = (await readdir(FOLDER)).filter(
    (name) => name.endsWith('.mjs') && join(FOLDER, name) !== file,
  );
  for (const name of older) await rm(join(FOLDER, name), { force: true });
  await put(file, outputFiles[0].contents);
  await put(SOURCES, JSON.stringify(sources));
  return file;
}

/** Several may start at once: each shows a whole file. */
async function put(file, contents) {
  await writeFile(`${file}.${process.pid}`, contents);
  await rename(`${file}.${process.pid}`, file);
}

// An installation that nobody may write to reads them one by one.
const start = await lastBundle()
  .catch(newBundle)
  .catch(async () => {
    await import('tsx');
    return join(ROOT, 'sandbox/main.ts');
  });
await import(pathToFileURL(start).href);
