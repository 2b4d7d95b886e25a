import { extraFields } from '../../generators/extra-fields.ts';
import { fourProperties } from './four-properties.ts';

const KNOWN = ['amount', 'note'];

fourProperties('extraFields', {
  arbitrary: extraFields(KNOWN),
  isRight: (fields) =>
    Object.keys(fields).length === 1 && Object.keys(fields).every((name) => !KNOWN.includes(name)),
});
