import { readYaml } from '../schemas/read-yaml.ts';

/** Id of a row of schemas/capabilities.yaml. */
export type Capability = string;

let all: readonly Capability[] | undefined;

/** Every capability that a target can have, in the catalogue's order. */
export function allCapabilities(): readonly Capability[] {
  return (all ??= (readYaml('capabilities.yaml') as { id: Capability }[]).map((row) => row.id));
}
