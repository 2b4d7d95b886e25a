import { expect, test, verifies } from '../../suite/index.ts';
import { entriesOf } from './support/listed.ts';

test(
  'a new account has a credential of type EMAIL_OTP',
  verifies('CREDENTIAL-EMAIL-OTP-BORN'),
  async ({ given, check, need, platform }) => {
    const { accountId } = await given.state<{ accountId: string }>('new-wallet', {}, ['accountId']);
    const list = await platform.call('listCredentials', {
      label: 'listing the credentials of an account on which nothing has been done yet',
      query: { accountId },
    });
    need(list).accepted();
    need.that(Array.isArray((list.body as { data?: unknown }).data), 'the answer is no list of credentials');
    await check(
      'CREDENTIAL-EMAIL-OTP-BORN',
      () => expect(entriesOf(list).map(({ type }) => type)).toContain('EMAIL_OTP'),
      [list],
    );
  },
);
