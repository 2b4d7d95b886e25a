import { readFileSync, writeFileSync } from 'node:fs';
import prettier from 'prettier';
import { proofDigest, readDetection } from '../../reports/detection.ts';
import { loadRules } from '../../schemas/rules.ts';
import { readSurvivors } from '../mutants/row.ts';
import { type Measured, keepMeasured, readElsewhere } from './measured.ts';
import { numbers, trustPage } from './page.ts';

const PAGE = new URL('../../docs/trust.md', import.meta.url);
const README = new URL('../../README.md', import.meta.url);
const NUMBERS = /(<!-- numbers -->\n)[\s\S]*?(<!-- \/numbers -->)/;

/** Writes docs/trust.md and the numbers of README.md anew, from all that was measured. @param news what was just measured */
export async function writeTrust(news: Measured = {}): Promise<void> {
  const about = {
    ...keepMeasured(news),
    matrix: readDetection(),
    digest: proofDigest(),
    areaOf: new Map(loadRules().map(({ id, area }) => [id, area])),
    survivors: readSurvivors(),
    elsewhere: readElsewhere(),
  };
  await write(PAGE, trustPage(about));
  const readme = readFileSync(README, 'utf8');
  await write(
    README,
    readme.replace(NUMBERS, (_all, begin: string, end: string) => `${begin}\n${numbers(about)}\n\n${end}`),
  );
}

async function write(file: URL, text: string): Promise<void> {
  const options = await prettier.resolveConfig(file);
  writeFileSync(file, await prettier.format(text, { ...options, parser: 'markdown' }));
}
