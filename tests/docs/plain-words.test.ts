import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { PAGES, PARTS } from '../../docs/pages.ts';
import { root } from '../support/run-assay.ts';

/** Words of a sentence, and characters of a cell of a table, that nobody has to read twice. */
const MOST_WORDS = 24;
const LONGEST_CELL = 200;

/** Made from data or from measurements. */
const MADE = [...Object.keys(PAGES), 'trust.md', 'performance.md'];
const guides = [
  ...['README.md', 'CONTRIBUTING.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && !MADE.includes(name))
    .map((name) => `docs/${name}`),
];

/** What people wrote of a guide: without code, and without the parts that are made from data. */
function writtenIn(guide: string): string {
  let text = readFileSync(join(root, guide), 'utf8').replace(/^```[^]*?^```/gm, '');
  for (const part of Object.keys(PARTS[guide.replace('docs/', '')] ?? {}))
    text = text.replace(new RegExp(`<!-- ${part} -->[^]*<!-- end of ${part} -->`), '');
  return text.replace(/<!--.*?-->/g, '');
}

/** Sentences outside of tables; a piece of code counts as one word. */
function sentencesOf(text: string): readonly string[] {
  return text
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)/)
    .filter((block) => !block.trimStart().startsWith('|'))
    .map((block) => block.replace(/^\s*(?:[-*]|\d+\.|#+)\s/, ''))
    .map((block) => block.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/`[^`]*`/g, 'Code'))
    .flatMap((block) => block.replace(/\*\*|\b_|_\b/g, '').split(/(?<=[.!?]["”)]?)\s+(?=[A-Z0-9"“(])/))
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim());
}

const wordsOf = (sentence: string) => sentence.split(' ').filter((word) => /\w/.test(word)).length;

for (const guide of guides)
  test(`${guide} has short sentences and short cells`, () => {
    const text = writtenIn(guide);
    const sentences = sentencesOf(text);
    const cells = text.split('\n').flatMap((line) => (line.startsWith('|') ? line.split(/(?<!\\)\|/) : []));
    expect(sentences.length + cells.length).toBeGreaterThan(10);
    expect(sentences.filter((sentence) => wordsOf(sentence) > MOST_WORDS)).toEqual([]);
    expect(cells.filter((cell) => cell.trim().length > LONGEST_CELL && /\w/.test(cell))).toEqual([]);
  });
