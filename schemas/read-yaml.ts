import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/**
 * Reads a YAML file that lies beside this module.
 *
 * @param name file name within schemas/
 * @throws Error when the file is missing or not YAML: a defect of Assay, never of a target
 */
export function readYaml(name: string): unknown {
  return parse(readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8'));
}
