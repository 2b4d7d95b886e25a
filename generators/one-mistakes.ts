import fc from 'fast-check';
import { componentSchema } from './component-schema.ts';
import { mistakesIn, type Body, type Mistake } from './contract/mistakes.ts';

/** A body with exactly one mistake of the plainest kinds. `null` is made of required fields only. */
export interface OneMistake extends Pick<Mistake, 'field' | 'body'> {
  readonly mistake: 'missing' | 'null' | 'wrong type';
}

/** Every way to leave out a required field or make it null, and to give a field a wrong JSON type. */
export function allMistakes(component: string, legal: Body): readonly OneMistake[] {
  return mistakesIn(componentSchema(component), legal).flatMap(({ field, kind, body }) => {
    const mistake = kind === 'as text' ? 'wrong type' : kind;
    return mistake === 'missing' || mistake === 'null' || mistake === 'wrong type'
      ? [{ field, mistake, body }]
      : [];
  });
}

/**
 * Bodies with exactly one mistake.
 *
 * @param component name of the body's schema in openapi.yaml
 * @param legal a body that is accepted as it is
 * @param wanted chooses among the mistakes, such as those of one field
 */
export function oneMistakes(
  component: string,
  legal: Body,
  wanted: (one: OneMistake) => boolean = () => true,
): fc.Arbitrary<OneMistake> {
  return fc.constantFrom(...allMistakes(component, legal).filter(wanted));
}
