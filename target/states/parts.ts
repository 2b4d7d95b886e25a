/** Texts that stand for one of a few things; ids, addresses and numbers are any. */
const CHOICE = /^[A-Z][A-Z0-9_]*$/;

/**
 * What a request for a state asks of who serves it: the state, and each param, with its value where that is one of few:
 * `customer`, `customer.balance`, `customer.ownership=PENDING`.
 */
export function partsOf(state: string, params: Readonly<Record<string, unknown>>): readonly string[] {
  return [
    state,
    ...Object.entries(params).flatMap(([name, value]) => partsOfParam(`${state}.${name}`, value)),
  ];
}

function partsOfParam(name: string, value: unknown): readonly string[] {
  if (typeof value === 'boolean') return [`${name}=${value}`];
  if (typeof value === 'string' && CHOICE.test(value)) return [`${name}=${value}`];
  if (Array.isArray(value)) {
    const choices = value.filter((one): one is string => typeof one === 'string' && CHOICE.test(one));
    return [choices.length === value.length ? `${name}=${choices.join('+') || 'none'}` : name];
  }
  if (typeof value === 'object' && value !== null) return Object.keys(value).map((key) => `${name}.${key}`);
  return [name];
}
