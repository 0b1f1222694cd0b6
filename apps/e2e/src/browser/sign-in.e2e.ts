import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, type TestAccount, newUser } from '../support/account';
import { addressOf, openAs, openPage, signIn, startBrowser, type Visitor, widthsOf } from '../support/browser';
import { signIn as signInByHttp } from '../support/console';
import { demo } from '../support/installation';

describe('dashboard sign-in', () => {
  let browser: Browser;
  let account: TestAccount;
  let owner: Visitor;

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Dashboard')]);
    owner = await newUser(account.accountId);
  }, 300_000);
  afterAll(() => browser.close());

  it('renders text in the served font', async () => {
    const page = await openPage(browser, '');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const loaded = "document.fonts.ready.then((faces) => [...faces].filter(({ status }) => status === 'loaded'))";
    const families = await page.evaluate<string[]>(`${loaded}.then((faces) => faces.map(({ family }) => family))`);
    expect(families.join()).toContain('Inter Variable');
    const heading = await page.getByRole('heading', { name: 'Sign in' }).boundingBox();
    expect(heading?.width).toBeGreaterThan(40);
    const widths = await widthsOf(page, ['iii', 'WWW', 'مرحبا']);
    expect(widths[1]).toBeGreaterThan((widths[0] ?? 0) * 1.5);
    expect(widths[2]).toBeGreaterThan(10);
    expect(page.problems).toEqual([]);
    await page.context().close();
  });

  it('signs in with the printed demo credentials', async () => {
    const page = await openAs(browser, { email: demo.dashboardEmail, password: demo.dashboardPassword });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.problems).toEqual([]);
    await page.context().close();
  });

  it('marks empty fields and shows the password on request', async () => {
    const page = await openPage(browser, '');
    const [email, password] = [page.getByLabel('Email'), page.getByLabel('Password')];
    const focused = () => page.evaluate<string>('document.activeElement.name');
    await email.waitFor();
    expect(await focused()).toBe('email');
    await email.fill(owner.email);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Enter your password').waitFor();
    await eventually(async () => expect(await focused()).toBe('password'));
    await password.fill('wrong horse battery');
    await page.getByText('Enter your password').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show password' }).click();
    expect(await password.getAttribute('type')).toBe('text');
    await page.getByRole('button', { name: 'Hide password' }).click();
    expect(await password.getAttribute('type')).toBe('password');
    expect(page.problems).toEqual([]);
    await page.context().close();
  });

  it('rejects a wrong password', async () => {
    const page = await openPage(browser, '/keys?state=active');
    await signIn(page, { ...owner, password: 'wrong horse battery' });
    await page.getByRole('alert').getByText('Email, password or code is incorrect.').waitFor();
    await signIn(page, owner);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(page.url()).toBe(addressOf('/keys?state=active'));
    expect(page.problems).toEqual([]);
    await page.context().close();
  });

  it('keeps form input when the session expires', async () => {
    const page = await openAs(browser, owner, '/templates/new');
    // Unique, because a retried test creates another draft.
    await page.getByLabel('Name').fill(`half_written_${Date.now()}`);
    await page.getByRole('button', { name: 'Continue to the editor' }).click();
    await page.getByLabel('Body text').waitFor();
    const elsewhere = await signInByHttp(owner.email, owner.password);
    await elsewhere.call('DELETE', '/me/sessions');
    await page.getByLabel('Body text').fill('Your order has left our house today.');
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await page.getByRole('dialog').getByLabel('Password').fill(owner.password);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(/^Saved \d/).waitFor();
    await page.reload();
    expect(await page.getByLabel('Body text').inputValue()).toBe('Your order has left our house today.');
    await page.context().close();
  });

  it('creates a user from an invitation once', async () => {
    const page = await openAs(browser, owner, '/team');
    await page.getByRole('button', { name: 'Invite' }).click();
    const invited = `invited-${account.accountId}@example.com`;
    await page.getByLabel('Email').fill(invited);
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    const guest = await openPage(browser, link.replace(addressOf(''), ''));
    await guest.getByRole('heading', { name: 'Join Dashboard' }).waitFor();
    await guest.getByLabel('Your name').fill('<b>Ravi</b>');
    await guest.getByLabel('New password').fill('another horse battery');
    await guest.getByRole('button', { name: 'Join' }).click();
    await guest.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    // Names are shown as text.
    await page.getByText('<b>Ravi</b>').waitFor();
    const late = await openPage(browser, link.replace(addressOf(''), ''));
    await late.getByText('this link was used, replaced or has expired').waitFor();
    expect([...page.problems, ...guest.problems]).toEqual([]);
    await Promise.all([page, guest, late].map((one) => one.context().close()));
  });
});
