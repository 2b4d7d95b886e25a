interface Union {
  readonly oneOf: readonly { readonly $ref: string }[];
  readonly discriminator: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
}

/**
 * The document with each union that has a discriminator as conditions, so that a wrong body is held against the one member that it says
 * it is, and not against all of them.
 */
export function discriminated(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(discriminated);
  if (typeof node !== 'object' || node === null) return node;
  if (isUnion(node)) {
    const { oneOf, discriminator, ...beside } = node;
    return { ...(discriminated(beside) as object), allOf: conditions({ oneOf, discriminator }) };
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, discriminated(value)]));
}

function isUnion(node: object): node is Union {
  const { oneOf, discriminator } = node as Partial<Union>;
  return Array.isArray(oneOf) && typeof discriminator?.propertyName === 'string';
}

function conditions({ oneOf, discriminator: { propertyName, mapping } }: Union): object[] {
  return oneOf.map(({ $ref }) => {
    const values = Object.keys(mapping).filter((value) => mapping[value] === $ref);
    return {
      if: { type: 'object', required: [propertyName], properties: { [propertyName]: { enum: values } } },
      then: { $ref },
    };
  });
}
