/** Ways in which a service, a report or a terminal may write a text. */
type Encoder = (text: string) => string;

const each = (text: string, write: (character: string) => string) => [...text].map(write).join('');
const units = (text: string, write: (unit: string) => string) => text.split('').map(write).join('');
const hexOf = (number: number, length: number) => number.toString(16).padStart(length, '0');
const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const percent = (text: string) =>
  each(text, (one) => `%${Buffer.from(one).toString('hex').match(/../g)?.join('%')}`);

export const ENCODERS: Readonly<Record<string, Encoder>> = {
  'as it is': (text) => text,
  JSON: (text) => JSON.stringify(text),
  'JSON in JSON in JSON': (text) => JSON.stringify(JSON.stringify(JSON.stringify({ text }))),
  'JSON with \\/': (text) => JSON.stringify(text).replaceAll('/', '\\/'),
  'JSON with \\u': (text) => units(text, (unit) => `\\u${hexOf(unit.charCodeAt(0), 4)}`),
  'JSON with some \\u': (text) =>
    units(text, (unit) =>
      /[a-m]/.test(unit) ? `\\u${hexOf(unit.charCodeAt(0), 4)}` : JSON.stringify(unit).slice(1, -1),
    ),
  'percent-encoded': encodeURIComponent,
  'percent-encoded in lower case': (text) =>
    encodeURIComponent(text).replace(/%../g, (one) => one.toLowerCase()),
  'percent-encoded whole': percent,
  'percent-encoded as a form': (text) => new URLSearchParams({ text }).toString(),
  'HTML with names': (text) => each(text, (one) => NAMED[one] ?? one),
  'HTML with decimals': (text) => each(text, (one) => `&#${one.codePointAt(0)};`),
  'HTML with hexadecimals': (text) => each(text, (one) => `&#x${one.codePointAt(0)?.toString(16)};`),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 within more': (text) => Buffer.from(`id:${text}, and more`).toString('base64'),
  'base64 within still more': (text) => Buffer.from(`{${text}}`).toString('base64url'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  'hexadecimal in upper case within more': (text) => Buffer.from(`<${text}>`).toString('hex').toUpperCase(),
};

/** The texts that can be read out of a text by taking encodings away, to some depth: what a curious reader would try. */
export function readings(text: string, depth: number): readonly string[] {
  if (depth === 0) return [text];
  const further: string[] = [];
  const noEscapes = text
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
    .replace(/&#(\d+);/g, (_, digits: string) => String.fromCodePoint(Number(digits)))
    .replace(/&#x([0-9a-f]+);/g, (_, digits: string) => String.fromCodePoint(parseInt(digits, 16)))
    .replace(/&amp;/g, '&')
    .replace(/&quot;/g, '"')
    .replace(/((?:%[0-9a-fA-F]{2})+)/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
    .replace(/\\(["\\/])/g, '$1');
  if (noEscapes !== text) further.push(noEscapes);
  for (const run of text.match(/[A-Za-z0-9+/_-]{8,}/g) ?? [])
    for (let skip = 0; skip < 4; skip += 1)
      further.push(Buffer.from(run.slice(skip), 'base64').toString('utf8'));
  for (const run of text.match(/[0-9a-fA-F]{12,}/g) ?? [])
    for (let skip = 0; skip < 2; skip += 1)
      further.push(Buffer.from(run.slice(skip), 'hex').toString('utf8'));
  return [text, ...further.flatMap((one) => readings(one, depth - 1))];
}
