import { malformedJson } from '../../generators/malformed-json.ts';
import { fourProperties } from './four-properties.ts';

fourProperties('malformedJson', {
  arbitrary: malformedJson({ source: { accountId: 'x' }, amount: 1 }),
  isRight: ({ text }) => {
    try {
      JSON.parse(text);
      return false;
    } catch {
      return true;
    }
  },
});
