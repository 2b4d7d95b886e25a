import { whyNotNode } from './node-version.ts';

/**
 * Imported before anything else, for its effect: packages may not even load on an old Node, and their stack traces would
 * be all that is seen.
 */
const sentence = whyNotNode(process.versions.node);
if (sentence !== undefined) {
  console.error(sentence);
  process.exit(2);
}
