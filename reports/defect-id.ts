import { createHash } from 'node:crypto';

/**
 * A defect's name: the same in every run, fit for an address and a file name. A breach at the rule itself is called by
 * the rule, one at another place by the rule and a short digest of the place.
 */
export function defectId(rule: string, place: string): string {
  const name = rule.replace(/[^A-Za-z0-9-]+/g, '-').slice(0, 100);
  if (place === rule && name === rule) return rule;
  return `${name}.${createHash('sha256')
    .update(JSON.stringify([rule, place]))
    .digest('hex')
    .slice(0, 6)}`;
}
