/**
 * Starts `main.ts` from one file that is bundled from its sources each time: reading more than a hundred files one by one
 * takes most of a second. Plain JavaScript, since nothing translates it.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const MAIN = join(import.meta.dirname, 'main.ts');
/** Below node_modules, so that packages are found from there. */
const FOLDER = join(import.meta.dirname, '../node_modules/.cache/assay-sandbox');

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

async function bundle() {
  const { outputFiles } = await build({
    entryPoints: [MAIN],
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
    plugins: [ownUrl],
  });
  const [{ contents }] = outputFiles;
  await mkdir(FOLDER, { recursive: true });
  // Several may start at once: each shows a whole file.
  const draft = join(FOLDER, `main-${process.pid}.mjs`);
  const file = join(FOLDER, 'main.mjs');
  await writeFile(draft, contents);
  await rename(draft, file);
  return pathToFileURL(file).href;
}

// An installation that nobody may write to reads them one by one.
const start = await bundle().catch(async () => {
  await import('tsx');
  return pathToFileURL(MAIN).href;
});
await import(start);
