type Node = { readonly [keyword: string]: unknown };

/**
 * A copy of a document in which every `oneOf` beside a `discriminator` is written with `if` and `then`, one branch a member:
 * the same demand, but a mistake is told in the one branch that applies, and not once for each member. A value that no member
 * has fits no branch: the field's own enum refuses it.
 */
export function discriminated(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(discriminated);
  if (typeof node !== 'object' || node === null) return node;
  const copy: Node = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, discriminated(value)]),
  );
  const { oneOf, discriminator, allOf = [], ...beside } = copy;
  if (!isDiscriminator(discriminator)) return copy;
  return { ...beside, allOf: [...(allOf as Node[]), ...(oneOf as Node[]).map(branch(discriminator))] };
}

interface Discriminator {
  readonly propertyName: string;
  /** The schema of each value, as a reference. */
  readonly mapping: Readonly<Record<string, string>>;
}

/** Within `properties` a field may be called that; it is none then. */
function isDiscriminator(node: unknown): node is Discriminator {
  return typeof (node as Discriminator | undefined)?.propertyName === 'string';
}

const branch =
  ({ propertyName, mapping }: Discriminator) =>
  (member: Node) => {
    const values = Object.keys(mapping).filter((value) => mapping[value] === member['$ref']);
    return {
      if: { type: 'object', required: [propertyName], properties: { [propertyName]: { enum: values } } },
      then: member,
    };
  };
