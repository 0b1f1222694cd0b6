import { TOTP } from 'otpauth';
import { newUser } from './support/account';
import { signIn } from './support/console';
import { done } from './support/installation';

/** Returns the authenticator code, offset by a number of steps of 30 s. */
const codeOf = (secret: string, steps: number): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

describe('second factor', () => {
  it('is required at sign-in until the operator removes it', async () => {
    const { accountId } = await done('accounts', 'create', '--name', 'Second factor', '--plan', 'scale');
    const { email, password } = await newUser(String(accountId));
    const console = await signIn(email, password);
    const { secret } = (await console.call('POST', '/me/second-factor', { password })).body as { secret: string };
    const confirmed = await console.call('POST', '/me/second-factor/confirm', { code: codeOf(secret, 0) });
    expect(confirmed).toMatchObject({ status: 200, body: { success: true } });

    await expect(signIn(email, password)).rejects.toThrow('signing in answered 200 without a session');
    // The current code is used up, but the next one is already valid.
    const again = await signIn(email, password, codeOf(secret, 1));
    expect((await again.call('GET', '/me')).status).toBe(200);
    const [recoveryCode] = confirmed.body['recoveryCodes'] as string[];
    const byRecoveryCode = await signIn(email, password, recoveryCode);
    expect((await byRecoveryCode.call('GET', '/me/second-factor')).body).toMatchObject({
      secondFactor: { isEnabled: true, recoveryCodesLeft: 9 },
    });
    await expect(signIn(email, password, recoveryCode)).rejects.toThrow('signing in answered 401');

    await done('users', 'reset-second-factor', '--email', email);
    expect((await again.call('GET', '/me')).status).toBe(401);
    expect((await (await signIn(email, password)).call('GET', '/me')).status).toBe(200);
  });
});
