import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newBareAccount, newUser } from '../support/account';
import { addressOf, openAs, startBrowser, type Visitor, type WatchedPage } from '../support/browser';
import { signIn as signInByHttp } from '../support/console';
import { gatewaySql } from '../support/database';
import { done } from '../support/installation';

const MINUTE_MS = 60_000;

describe('dashboard session', () => {
  let browser: Browser;
  let account: { accountId: string };
  let owner: Visitor;
  let page: WatchedPage;

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newBareAccount('Sessions')]);
    owner = await newUser(account.accountId);
  }, 300_000);
  afterEach(async () => {
    expect(page.problems).toEqual([]);
    await page.context().close();
  });
  afterAll(() => browser.close());

  /** Signs in in another tab of the same browser. */
  const signInBeside = async ({ email, password }: Visitor): Promise<void> => {
    const response = await page.context().request.post(consoleOf('/session'), { data: { email, password } });
    expect(response.status()).toBe(200);
  };
  const saveName = async (name: string): Promise<void> => {
    await page.getByLabel('Your name').fill(name);
    await page.getByRole('button', { name: 'Save name' }).click();
  };
  const changes = (): number[] => {
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'PATCH') statuses.push(response.status());
    });
    return statuses;
  };
  /** Advances to the page's next check of the session, once a minute. */
  const passMinute = () => page.clock.runFor(MINUTE_MS);

  it('retries a change once after renewal in another tab', async () => {
    page = await openAs(browser, owner, '/profile');
    const statuses = changes();
    await signInBeside(owner);
    await saveName('Asha the Second');
    await page.getByText('Saved.').waitFor();
    expect(statuses).toEqual([403, 200]);
  });

  it('shows another user without sending earlier changes', async () => {
    const viewer = await newUser(account.accountId, 'viewer');
    page = await openAs(browser, owner, '/profile');
    const statuses = changes();
    await signInBeside(viewer);
    await saveName('Not the viewer');
    await page.getByText(viewer.email).first().waitFor();
    expect(await page.getByLabel('Your name').inputValue()).toBe('Asha');
    expect(statuses).toEqual([403]);
  });

  it('applies a new role without a reload', async () => {
    const member = await newUser(account.accountId, 'viewer');
    page = await openAs(browser, member, '/keys', { hasClock: true });
    const create = page.getByRole('button', { name: 'Create key' });
    await page.getByText('Requires the role owner. Your role is viewer.').waitFor();
    const { body } = await (await signInByHttp(member.email, member.password)).call('GET', '/me');
    await done('users', 'set-role', '--user', (body['user'] as { id: string }).id, '--role', 'owner');
    await passMinute();
    await eventually(async () => expect(await create.getAttribute('aria-disabled')).toBe(null));
  });

  it('asks to sign in after it ended in another tab', async () => {
    page = await openAs(browser, owner, '/profile');
    await page.getByLabel('Your name').fill('Asha the Third');
    const other = await page.context().newPage();
    await other.goto(addressOf('/profile'));
    await other.getByRole('button', { name: 'Sign out', exact: true }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    for (let count = 0; count < 3; count += 1) await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    expect(await page.getByRole('dialog').count()).toBe(1);
    await dialog.getByLabel('Password').fill(owner.password);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Your name').inputValue()).toBe('Asha the Third');
  });

  it('retries a request that was rejected before the user signed in again', async () => {
    page = await openAs(browser, owner, '/profile', { hasClock: true });
    const statuses = changes();
    let deliver = (): void => undefined;
    const isSignedIn = new Promise<void>((resolve) => (deliver = resolve));
    const isRejected = new Promise<void>((resolve) => {
      void page.route(
        consoleOf('/me'),
        async (route) => {
          const response = await route.fetch();
          resolve();
          await isSignedIn;
          await route.fulfill({ response });
        },
        { times: 1 },
      );
    });
    await (await signInByHttp(owner.email, owner.password)).call('DELETE', '/me/sessions');
    await saveName('Asha the Late');
    await isRejected;
    await passMinute();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password').fill(owner.password);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    deliver();
    await page.getByText('Saved.').waitFor();
    expect(await dialog.count()).toBe(0);
    expect(statuses).toEqual([401, 200]);
  });

  it('reports a failed sign-out', async () => {
    page = await openAs(browser, owner, '/profile');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('You are still signed in. The server does not respond.').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('sign out');
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await page.getByText('You are still signed in.').count()).toBe(2));
    await page.context().setOffline(false);
    expect(page.problems.splice(0)).toContain('Failed to load resource: net::ERR_INTERNET_DISCONNECTED');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('reports that the account is suspended', async () => {
    const { accountId } = await newBareAccount('Unpaid');
    page = await openAs(browser, await newUser(accountId));
    await done('accounts', 'suspend', '--account', accountId, '--reason', 'unpaid');
    await page.reload();
    await page.getByRole('heading', { name: 'Your account is suspended' }).waitFor();
    await done('accounts', 'resume', '--account', accountId);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await done('accounts', 'suspend', '--account', accountId, '--reason', 'unpaid');
    await page.reload();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await gatewaySql('SELECT 1 FROM sessions WHERE account_id = $1', [accountId])).toEqual([]);
  });

  it('ends after the idle limit despite polling', async () => {
    const { accountId } = await newBareAccount('Idle');
    page = await openAs(browser, await newUser(accountId), '', { hasClock: true });
    const age = (minutes: number) =>
      gatewaySql("UPDATE sessions SET seen_at = now() - $2 * interval '1 minute' WHERE account_id = $1", [
        accountId,
        minutes,
      ]);
    await passMinute();
    // Page-load requests refresh the session. On a slow machine, some of them arrive after `age`, so age the session
    // again until no such request follows.
    await eventually(async () => {
      await age(50);
      await Promise.all([page.waitForResponse(consoleOf('/me')), passMinute()]);
      const [session] = await gatewaySql<{ isIdle: boolean }>(
        `SELECT seen_at < now() - interval '49 minutes' AS "isIdle" FROM sessions WHERE account_id = $1`,
        [accountId],
      );
      expect(session).toEqual({ isIdle: true });
    });
    await age(61);
    await passMinute();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  });

  it('stops polling after 15 idle minutes', async () => {
    const { accountId } = await newBareAccount('Asleep');
    page = await openAs(browser, await newUser(accountId), '', { hasClock: true });
    await page.getByText(/of 4 done/).waitFor();
    const asked: string[] = [];
    // Responses, not requests: the page's clock also advances while it waits for a response.
    page.on('response', (response) => asked.push(new URL(response.url()).pathname));
    const steps = () => asked.filter((path) => path.endsWith('/first-steps')).length;
    await page.clock.runFor(10_000);
    await eventually(() => expect(steps()).toBeGreaterThan(0));
    await page.clock.fastForward(16 * MINUTE_MS);
    await page.clock.runFor(20_000);
    await page.waitForLoadState('networkidle');
    const before = steps();
    await passMinute();
    await page.waitForLoadState('networkidle');
    expect(steps()).toBe(before);
    await page.getByRole('heading', { name: 'Overview' }).click();
    // The page's clock also runs on its own: on a slow machine it polls more than once before the check.
    await eventually(() => expect(steps()).toBeGreaterThan(before));
    const woken = steps();
    await page.clock.runFor(10_000);
    await eventually(() => expect(steps()).toBeGreaterThan(woken));
  });
});

function consoleOf(path: string): string {
  return addressOf('').replace(/\/dashboard$/, `/console/v1${path}`);
}
