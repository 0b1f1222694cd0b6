import { TOTP } from 'otpauth';
import { newUser } from './support/account';
import { signIn } from './support/console';
import { done } from './support/installation';

/** The code that an authenticator app shows so many steps of 30 s from now. */
const codeOf = (secret: string, steps: number): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

describe('A second factor', () => {
  it('is switched on in the console, asked for at the next sign-in, and taken away by the operator', async () => {
    const { accountId } = await done('accounts', 'create', '--name', 'Second factor', '--plan', 'scale');
    const { email, password } = await newUser(String(accountId));
    const console = await signIn(email, password);
    const { secret } = (await console.call('POST', '/me/second-factor', { password })).body as { secret: string };
    const confirmed = await console.call('POST', '/me/second-factor/confirm', { code: codeOf(secret, 0) });
    expect(confirmed).toMatchObject({ status: 200, body: { success: true } });

    await expect(signIn(email, password)).rejects.toThrow('signing in answered 200 without a session');
    // The present code is spent; the next one counts already.
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
