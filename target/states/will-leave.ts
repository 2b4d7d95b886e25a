import { MEASURED, type LeftByFile, type MeasuredRun } from './measured.ts';

/** Chosen tests of each spec file, by its path below specs/. */
type ChosenTests = Readonly<Record<string, number>>;

/** Below specs/, whatever the machine. */
export function specOf(file: string): string {
  return file.replaceAll('\\', '/').replace(/^.*\/specs\//, '');
}

/** All tests that were measured. */
export function allTests(run: Pick<MeasuredRun, 'left'> = MEASURED): ChosenTests {
  return Object.fromEntries(Object.entries(run.left).map(([file, { tests }]) => [file, tests]));
}

/**
 * What tests will leave on a target, told before they run: each file as it was measured, by the share of its tests.
 *
 * @returns lines for a terminal; none where nothing will be left
 */
export function willLeave(
  chosen: ChosenTests,
  { preparation, cleanUp }: { readonly preparation: string; readonly cleanUp: object },
  isQuick: boolean,
  run: Pick<MeasuredRun, 'left'> = MEASURED,
): readonly string[] {
  const sum = (kind: Exclude<keyof LeftByFile, 'tests'>, files: ChosenTests) =>
    counted(files, kind, new Set(Object.keys(cleanUp)), run);
  const usual = preparation === 'fixtures' ? 'states' : isQuick ? 'quick' : 'standard';
  const all = sum(usual, chosen);
  if (all.size === 0) return [];
  // Public calls prepare what the URL does not serve.
  const about =
    preparation === 'provider-states'
      ? `at most ${listed(all)}, and where all states are served ${listed(sum('states', chosen)) || 'nothing'}`
      : `about ${listed(all)}`;
  const ways: string[] = [];
  if (usual === 'standard') ways.push(`DEPTH=quick leaves ${customers(sum('quick', chosen))}`);
  const areas = [...new Set(Object.keys(chosen).map(areaOf))];
  if (areas.length > 1) {
    const ofArea = (area: string) =>
      sum(usual, Object.fromEntries(Object.entries(chosen).filter(([file]) => areaOf(file) === area)));
    const [most = 'agents'] = areas.sort((a, b) => first(ofArea(b)) - first(ofArea(a)));
    ways.push(`one area such as specs/${most} ${customers(ofArea(most))}`);
  }
  if (all.has('Agent')) ways.push('cleanUp of the profile removes agents');
  return [
    `It will leave ${about} on the target.`,
    ...(ways.length > 0 ? [`To leave less: ${ways.join('; ')}.`] : []),
  ];
}

function counted(
  chosen: ChosenTests,
  kind: Exclude<keyof LeftByFile, 'tests'>,
  removed: ReadonlySet<string>,
  run: Pick<MeasuredRun, 'left'>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [file, tests] of Object.entries(chosen)) {
    const known = run.left[file];
    for (const [type, count] of Object.entries(known?.[kind] ?? {}))
      if (!removed.has(type))
        counts.set(type, (counts.get(type) ?? 0) + (count * tests) / (known?.tests ?? tests));
  }
  // One customer serves a test of its accounts and a test of its wallet.
  const halves = Math.max(counts.get('accounts') ?? 0, counts.get('wallet') ?? 0);
  if (halves > 0 && !removed.has('Customer')) counts.set('Customer', (counts.get('Customer') ?? 0) + halves);
  counts.delete('accounts');
  counts.delete('wallet');
  return new Map([...counts].sort(([, a], [, b]) => b - a).map(([type, count]) => [type, Math.ceil(count)]));
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([type, count]) => `${count} ${words(type, count)}`).join(', ');
}

function customers(counts: ReadonlyMap<string, number>): string {
  const count = counts.get('Customer') ?? 0;
  return `${count} ${words('Customer', count)}`;
}

function first(counts: ReadonlyMap<string, number>): number {
  return counts.get('Customer') ?? 0;
}

function areaOf(file: string): string {
  return file.split('/')[0] ?? '';
}

/** `ExternalAccount` as `external accounts`. */
function words(type: string, count: number): string {
  const name = type === 'AuthMethod' ? 'credential' : type.replace(/(?!^)[A-Z]/g, ' $&').toLowerCase();
  return count === 1 ? name : `${name}s`;
}
