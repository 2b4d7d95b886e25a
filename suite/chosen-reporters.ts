/**
 * Reporters that the command line of `playwright test` names, which replace those of the configuration; none where the
 * configuration's own are used, and where nothing is to be judged: a list of tests, or a shard that only writes its blob.
 *
 * @param argv arguments of Playwright's command line
 */
export function chosenReporters(argv: readonly string[]): readonly string[] {
  if (argv.includes('--list') || argv.includes('merge-reports')) return [];
  const named = argv.flatMap((word, index) => {
    if (word.startsWith('--reporter=')) return [word.slice('--reporter='.length)];
    return word === '--reporter' ? [argv[index + 1] ?? ''] : [];
  });
  // Playwright takes the last one, and splits it.
  const names = (named.at(-1) ?? '').split(',').filter((name) => name !== '');
  return names.every((name) => name === 'blob') ? [] : names;
}
