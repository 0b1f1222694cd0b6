import { TOTP } from 'otpauth';
import type { Browser } from 'playwright-core';
import { newBareAccount, newUser } from '../support/account';
import { addressOf, openAs, openPage, signIn, startBrowser, type WatchedPage } from '../support/browser';
import { gatewaySql } from '../support/database';
import { done } from '../support/installation';

const NEW_PASSWORD = 'another horse battery';
const STEP_MS = 30_000;
// Page scripts are strings: these files have no DOM types.
const FOCUSED = 'document.activeElement?.labels?.[0]?.textContent';

describe('a user who cannot sign in', () => {
  let browser: Browser;
  let account: { accountId: string };

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newBareAccount('Recovery')]);
  }, 300_000);
  afterAll(() => browser.close());

  const signOut = async (page: WatchedPage): Promise<void> => {
    await page.goto(addressOf('/profile'));
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  };

  it('gets a password reset link from an owner', async () => {
    const forgetful = await newUser(account.accountId, 'admin');
    const owner = await openAs(browser, await newUser(account.accountId), '/team');
    const row = owner.getByRole('row', { name: forgetful.email });
    await row.getByRole('button', { name: 'Actions for Asha' }).click();
    await owner.getByRole('menuitem', { name: 'Create password reset link' }).click();
    const link = (await owner.getByRole('dialog').locator('code').textContent()) ?? '';
    const page = await openPage(browser, link);
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.locator('.fault').waitFor();
    // Screen readers announce the error: its field has the focus.
    expect(await page.evaluate(FOCUSED)).toBe('New password');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('heading', { name: 'Password changed' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, { ...forgetful, password: NEW_PASSWORD });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const late = await openPage(browser, link);
    await late.getByLabel('New password').fill('yet another horse battery');
    await late.getByRole('button', { name: 'Change password' }).click();
    await late.getByText('this link was used, replaced or has expired').waitFor();
    expect([...owner.problems, ...page.problems, ...late.problems]).toEqual([]);
    await Promise.all([owner, page, late].map((one) => one.context().close()));
  });

  it('gets a new password from the operator as the only owner', async () => {
    const { accountId } = await newBareAccount('Alone');
    const alone = await newUser(accountId);
    const page = await openAs(browser, alone, '/profile');
    const [user] = await gatewaySql<{ id: string }>('SELECT id FROM users WHERE email = $1', [alone.email]);
    const { password } = await done('users', 'reset-password', '--user', user?.id ?? '');
    await page.reload();
    await signIn(page, { ...alone, password: String(password) });
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    expect(page.problems).toEqual([]);
    await page.context().close();
  });

  it('signs in with a recovery code', async () => {
    const visitor = await newUser(account.accountId);
    const page = await openAs(browser, visitor, '/profile');
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password').fill('wrong');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Password').fill(visitor.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    const secret = (await dialog.locator('code').textContent()) ?? '';
    const codeIn = (steps: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * STEP_MS });
    await dialog.getByLabel('Code').fill(codeIn(0));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    // Recovery codes are shown only once.
    for (let count = 0; count < 3; count += 1) await page.keyboard.press('Escape');
    const [recoveryCode = ''] = await dialog.locator('li').allTextContents();
    await dialog.getByRole('button', { name: 'I have stored the codes' }).click();
    await page.getByText('10 remaining').waitFor();

    await signOut(page);
    await signIn(page, visitor);
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Email, password or code is incorrect.').waitFor();
    // The code of this half minute is spent; the next one is valid already.
    await page.getByLabel('Code').fill(codeIn(1));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

    await signOut(page);
    await signIn(page, visitor);
    await page.getByLabel('Code').fill(recoveryCode);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(addressOf('/profile'));
    await page.getByText('9 remaining').waitFor();
    expect(page.problems).toEqual([]);
    await page.context().close();
  });

  it('has the second factor removed by an owner', async () => {
    const owner = await newUser(account.accountId);
    const page = await openAs(browser, owner, '/team');
    const [other] = await gatewaySql<{ email: string }>(
      `SELECT u.email FROM users u JOIN second_factors f ON f.user_id = u.id WHERE u.account_id = $1`,
      [account.accountId],
    );
    const row = page.getByRole('row', { name: other?.email ?? '' });
    await row.getByRole('button', { name: 'Actions for Asha' }).click();
    await page.getByRole('menuitem', { name: 'Remove second factor' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove second factor' }).click();
    await page.getByText('Second factor removed.').waitFor();
    await row.getByText('Off').waitFor();
    expect(page.problems).toEqual([]);
    await page.context().close();
  });
});
