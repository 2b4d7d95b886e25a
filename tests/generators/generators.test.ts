import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { ID_MISTAKES, pathValuesBeside, wrongRecordIds } from '../../generators/ids.ts';
import { allMistakes, componentSchema, malformedJson } from '../../generators/mistakes.ts';
import { beyondInt64, fractions, int64sBeyondDouble } from '../../generators/numbers.ts';
import { sequences } from '../../generators/steps.ts';
import { nearMisses, overlongTexts, plainTexts, printableTexts } from '../../generators/texts.ts';
import { loadContract } from '../../schemas/contract.ts';
import { enumOf, INT64 } from '../../schemas/openapi.ts';
import { parsedOrNothing } from '../../schemas/json.ts';
import { Validator } from '../../schemas/validator.ts';

const ID = 'InternalAccount:01234567-89ab-4cde-8f01-23456789abcd';
const LENGTHS = { minLength: 1, maxLength: 80 };
const STEPS = ['open', 'take', 'take', 'close', 'look'] as const;
const validator = new Validator();
const isId = (id: string) => validator.judge(componentSchema('InternalAccountId'), id).breaches.length === 0;

/** What each generator may yield, while it shrinks as well: a wrong value would accuse a service that is right. */
const ONLY: readonly (readonly [name: string, fc.Arbitrary<unknown>, isRight: (value: never) => boolean])[] =
  [
    [
      'int64sBeyondDouble',
      int64sBeyondDouble(),
      (value: bigint) => value > 2n ** 53n && value <= INT64.max && BigInt(Number(value)) !== value,
    ],
    ['beyondInt64', beyondInt64(), (value: bigint) => value > INT64.max],
    ['fractions', fractions(10_000), (value: number) => /^\d+\.\d{1,3}$/.test(JSON.stringify(value))],
    ['plainTexts', plainTexts(LENGTHS), (text: string) => /^[a-zA-Z0-9]{1,80}$/.test(text)],
    [
      'printableTexts',
      printableTexts(LENGTHS),
      (text: string) => /^[\x20-\x7e]{1,80}$/.test(text) && text.trim() === text,
    ],
    ['overlongTexts', overlongTexts(80), (text: string) => /^[a-zA-Z0-9]{81,}$/.test(text)],
    [
      'wrongRecordIds',
      wrongRecordIds(ID),
      ({ id, mistake }: { id: string; mistake: string }) => ID_MISTAKES.includes(mistake) && !isId(id),
    ],
    [
      'malformedJson',
      malformedJson({ amount: 1 }),
      ({ text }: { text: string }) => parsedOrNothing(text) === undefined,
    ],
    ...['PaymentRail', 'PurposeOfPayment'].map(
      (name) =>
        [
          `nearMisses of ${name}`,
          nearMisses(enumOf(name)),
          (miss: string) => miss !== '' && miss.trim() === miss && !enumOf(name).includes(miss),
        ] as const,
    ),
    [
      'sequences',
      sequences(STEPS),
      (steps: readonly { do: string }[]) =>
        STEPS.every(
          (name) =>
            steps.filter((step) => step.do === name).length <= STEPS.filter((one) => one === name).length,
        ),
    ],
  ];

for (const [name, arbitrary, isRight] of ONLY)
  test(`${name} yields only right values, shrunk or not`, () => {
    for (const seed of [1, 2, 3, 20_251_013]) {
      const seen: unknown[] = fc.sample(arbitrary, { seed, numRuns: 300 });
      fc.check(
        fc.property(arbitrary, (value) => {
          seen.push(value);
          return seen.length % 3 === 0;
        }),
        { seed, numRuns: 1 },
      );
      expect(seen.filter((value) => !isRight(value as never)).map((value) => fc.stringify(value))).toEqual(
        [],
      );
    }
  });

test('a value beside an id is never the id itself, whatever the case of its letters', () => {
  expect(pathValuesBeside(ID).filter(({ value }) => value.toLowerCase() === ID.toLowerCase())).toEqual([]);
});

test('each body with one mistake is wrong in the field that it names, and in no other', async () => {
  const { components } = await loadContract('Service');
  const legal = {
    source: { accountId: ID },
    destination: { accountId: ID.replace('Internal', 'External') },
    amount: 1_000,
  };
  const breachesOf = (body: unknown) =>
    validator.judge(components.get('TransferOutRequest') ?? {}, body).breaches;
  expect(breachesOf(legal)).toEqual([]);
  const all = allMistakes('TransferOutRequest', legal);
  expect(new Set(all.map(({ field }) => field)).size).toBe(8);
  for (const { field, mistake, body } of all)
    expect(
      [...new Set(breachesOf(body).map(({ pointer }) => pointer))],
      `${mistake} ${field}: ${JSON.stringify(body)}`,
    ).toEqual([`/${field.replaceAll('.', '/')}`]);
});
