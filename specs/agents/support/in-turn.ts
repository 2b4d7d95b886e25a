/** Sends one after the other: a burst would meet rate limits that have nothing to do with the rule. */
export async function inTurn<T, R>(
  inputs: readonly T[],
  send: (input: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (const input of inputs) results.push(await send(input));
  return results;
}
