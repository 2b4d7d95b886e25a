import { fractions } from '../../generators/fractions.ts';
import { fourProperties } from './four-properties.ts';

const MOST = 10_000;

fourProperties('fractions', {
  arbitrary: fractions(MOST),
  isRight: (value) => /^\d+\.\d{1,3}$/.test(JSON.stringify(value)) && value < MOST + 1,
});
