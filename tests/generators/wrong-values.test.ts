import { nearMisses } from '../../generators/wrong-values.ts';
import { enumOf } from '../../schemas/values.ts';
import { fourProperties } from './four-properties.ts';

for (const component of ['PaymentRail', 'PurposeOfPayment'])
  fourProperties(`nearMisses of ${component}`, {
    arbitrary: nearMisses(enumOf(component)),
    isRight: (miss) => miss !== '' && !enumOf(component).includes(miss),
    shrinks: false,
  });
