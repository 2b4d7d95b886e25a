import { malformedJson } from '../../generators/json.ts';
import { expect, explore, test, verifies } from '../../suite/index.ts';

test(
  'a body that is not JSON answers 400',
  verifies('ERROR-MALFORMED-JSON'),
  async ({ given, need, check, observe }) => {
    const agent = await given.agent();
    need(await agent.transferOut()).accepted();
    const word = await agent.call('transferOut', { raw: 'transfer', label: 'a body that is a bare word' });

    await check('ERROR-MALFORMED-JSON', () => expect(word).toHaveHttpStatus(400));
    await check('ERROR-MALFORMED-JSON', () =>
      explore(malformedJson(agent.transferOutBody()), async ({ text, mistake }) =>
        expect(
          await agent.call('transferOut', { raw: text, label: `a body that is not JSON: ${mistake}` }),
        ).toHaveHttpStatus(400),
      ),
    );
    observe('malformed-json-code', word);
  },
);
