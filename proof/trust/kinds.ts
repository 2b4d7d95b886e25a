import type { Fault } from '../../sandbox/faults/fault.ts';

/** Kinds of mistakes, told by the rules of the sandbox that a fault stands in for. The first that fits is meant. */
const KINDS: readonly (readonly [kind: string, rules: RegExp])[] = [
  ['another answer to a refused request', /^(?:refuse|presentError|presentRefusal|presentFieldError)/],
  ['a body that is read or held otherwise', /^(?:requestSchema|read[A-Z]|checkBody|transferAmount)/],
  ['a field that is shown wrongly', /^(?:present|finishReply|contentType|listed|newUuid)/],
  [
    'a condition that is not looked at, or is another one',
    /^(?:is[A-Z]|may[A-Z]|has[A-Z]|needs|within|accept|identify|same|session(?:Is|Belongs)|credentialIs|customerIs|quoteExpired|request(?:Is|Fits)|codeIs|stampVerifies|permission|purpose|policyOf|judge|signedTexts|clientKeyFits|typeFits|agentMay)/,
  ],
];

/** What kind of mistake a fault is. */
export function kindOf({ replace }: Fault): string {
  const names = Object.keys(replace);
  return (
    KINDS.find(([, rules]) => names.some((name) => rules.test(name)))?.[0] ??
    'an effect that is missing, double, or another one'
  );
}
