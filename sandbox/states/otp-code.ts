import { Unpreparable, type State } from '../core/state.ts';
import { otpChallenges } from '../domain/login-challenge.ts';

/** The last code that was sent for a credential. */
export const otpCodeState: State = {
  name: 'otp-code',
  params: { credentialId: { type: 'string' } },
  setup(world, params) {
    const last = (otpChallenges.get(world, (params['credentialId'] as string | undefined) ?? '') ?? []).at(
      -1,
    );
    if (!last) throw new Unpreparable('no code was sent for this credentialId.');
    const code = world.rules.toldCode(world, last.code);
    if (code === undefined) throw new Unpreparable('codes are not told here.');
    return { code };
  },
};
