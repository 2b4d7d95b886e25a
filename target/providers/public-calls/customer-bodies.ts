import type { StateValues } from '../state-provider.ts';
import type { Json, Steps } from './steps.ts';

/** Fields of the usual body that no service takes with these values. */
const WRONG: Readonly<Record<string, unknown>> = {
  email: 'nobody',
  fullName: '',
  birthDate: 'yesterday',
  phoneNumber: 'none',
};
/** What this target says of each alone does not change. */
const found = new WeakMap<object, Promise<readonly string[]>>();

/**
 * State `due-diligence`: the usual body of a customer, and the same with fields that are wrong: those for each of which this
 * target has refused a body that was right otherwise, and named the field. How due-diligence fields are called is not shown.
 */
export async function customerBodies(steps: Steps): Promise<StateValues> {
  const without = steps.customerBody();
  let fields = found.get(steps.profile);
  if (!fields) found.set(steps.profile, (fields = refusedFields(steps)));
  const invalidFields = await fields;
  if (invalidFields.length < 2) return { without };
  const wrong = Object.fromEntries(invalidFields.map((name) => [name, WRONG[name]]));
  return { without, invalid: { ...without, ...wrong }, invalidFields };
}

async function refusedFields(steps: Steps): Promise<readonly string[]> {
  const refused: string[] = [];
  for (const [name, value] of Object.entries(WRONG)) {
    const { response } = await steps.attempt('createCustomer', {
      label: `preparing: a customer whose ${name} is wrong, to be refused`,
      body: { ...steps.customerBody(), [name]: value },
    });
    if (response?.status === 400 && namesOnly(name, response.text)) refused.push(name);
  }
  return refused;
}

/** Whether details.errors of a refusal has this field and no other. */
function namesOnly(field: string, text: string): boolean {
  try {
    const errors: Json = (JSON.parse(text) as Json)?.details?.errors;
    return Array.isArray(errors) && errors.length > 0 && errors.every((one: Json) => one?.field === field);
  } catch {
    return false;
  }
}
