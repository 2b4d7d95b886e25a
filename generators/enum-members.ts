import fc from 'fast-check';
import { enumOf } from '../schemas/values.ts';

/** Members of a closed set of the contract, such as `PaymentRail`. */
export function enumMembers(component: string): fc.Arbitrary<string> {
  return fc.constantFrom(...enumOf(component));
}
