import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { UsageError } from './usage-error.ts';

/**
 * Reads a file of YAML (or JSON); an empty one is null.
 *
 * @param what how the file is called, such as "The profile"
 * @param setting the variable that names it
 * @throws UsageError when it cannot be read, or is not YAML: then with its line
 */
export function readYamlFile(what: string, path: string, setting: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`${what} ${path} cannot be read: check the path in ${setting}.`);
  }
  try {
    return parse(text);
  } catch (error) {
    const told = (error as Error).message.split('\n')[0]!.replace(/[:.\s]+$/, '');
    throw new UsageError(`${what} ${path} is not YAML: ${told}.`);
  }
}
