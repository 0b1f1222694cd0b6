import { eventually } from '@switchboard/testing';
import type { Browser, Page } from 'playwright-core';
import { addNumber, newAccount, type TestAccount, newUser } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type Visitor } from '../support/browser';
import { done } from '../support/installation';
import { control, freshPhone } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';
import { listenFor, type Listener } from '../support/webhooks';

/** Recipients with a delivered and a failed outcome at the upstream platform. */
const DELIVERED = '15005550101';
const UNDELIVERABLE = '15005550126';

describe('account pages', () => {
  let browser: Browser;
  let account: TestAccount;
  let owner: Visitor;
  let viewer: Visitor;
  let page: Page & { problems: string[] };
  let listener: Listener;

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Usage', { plan: 'growth' })]);
    const { accountId } = account;
    [owner, viewer, listener] = await Promise.all([
      newUser(accountId),
      newUser(accountId, 'viewer'),
      listenFor(accountId),
      done('credits', 'top-up', '--account', accountId, '--amount', '25', '--reason', 'a gift'),
      approved(account, ['hello_world', 'verification_code']),
    ]);
    page = await openAs(browser, owner);
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await listener.receiver.close();
  });

  const go = (path: string) => page.goto(addressOf(path));
  const figure = (of: Page, name: string) =>
    of.locator('.figure', { has: of.getByText(name, { exact: true }) }).locator('.value');
  const sendTo = (to: string) =>
    account.api.sendMessage({ to, type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } });

  it('chart delivered and failed messages per day', async () => {
    await go('');
    await page.getByText('No prices reported for this period').waitFor();
    const ids = [await sendTo(DELIVERED), await sendTo(UNDELIVERABLE)].map(({ message_id }) => message_id);
    await eventually(() =>
      expect(ids.map((id) => listener.about(id).map((event) => ('status' in event ? event.status : '')))).toEqual([
        ['sent', 'delivered'],
        ['failed'],
      ]),
    );
    await go('');
    await eventually(async () => {
      await page.reload();
      expect(await figure(page, 'Messages sent').textContent()).toBe('2');
      // The business is shared, so the account also gets events of templates of others.
      expect(await figure(page, 'Webhook events').textContent()).toBe(String(listener.events().length));
    });
    expect(await figure(page, 'Delivered').textContent()).toBe('50.0%');
    expect(await figure(page, 'Failed').textContent()).toBe('1');
    const chart = page.getByRole('slider', { name: 'Messages per day' });
    await chart.focus();
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/Delivered 1, Failed 1, Received 0$/);
    await page.keyboard.press('ArrowLeft');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/Delivered 0, Failed 0, Received 0$/);
    await page.locator('.chart-tip').waitFor();
    await page.getByText('Show as table').click();
    expect(await page.getByRole('table', { name: 'Messages per day' }).getByRole('row').count()).toBe(15);
    await page.getByRole('table', { name: 'Recent failures' }).getByRole('link', { name: UNDELIVERABLE }).waitFor();
    const prices = page.getByRole('table', { name: 'Billed messages by category' });
    // Messages that never left have no price.
    expect(await prices.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/^Category\s+Billed\s+Free\s*$/),
      expect.stringMatching(/^Utility\s+1\s+0\s*$/),
    ]);
    await page.getByRole('button', { name: '24 hours' }).click();
    await page.getByRole('slider', { name: 'Messages per hour' }).waitFor();
    expect(page.url()).toContain('period=24h');
    expect(await prices.getByRole('row').last().innerText()).toMatch(/^Utility\s+1\s+0\s*$/);
    expect(await figure(page, 'Failed').textContent()).toBe('1');
  });

  it('show credits that match the ledger', async () => {
    const { template } = await done('otp', 'set', '--account', account.accountId, '--template', 'verification_code');
    expect(template).toBe('verification_code');
    await account.api.sendOtp({ to: freshPhone(), otp: '482913' });
    const { plan, credits } = await account.api.getMe();
    await go('/usage');
    await figure(page, 'Plan').waitFor();
    expect((await figure(page, 'Plan').textContent())?.toLowerCase()).toBe(plan.name.toLowerCase());
    expect(await figure(page, 'Utility credits left').textContent()).toBe(credits.utility.toLocaleString('en'));
    expect(await figure(page, 'Bulk recipients').textContent()).toBe(plan.limits.bulkRecipients.toLocaleString('en'));
    const ledger = page.getByRole('table', { name: 'Ledger' });
    await ledger.getByText('a gift').waitFor();
    const amounts = async (): Promise<number[]> =>
      (await ledger.locator('tbody td.num').allTextContents()).map((text) => Number(text.replaceAll(',', '')));
    await eventually(async () =>
      expect((await amounts()).reduce((sum, amount) => sum + amount, 0)).toBe(credits.utility),
    );
    await page.getByLabel('Type').selectOption('top_up');
    await page.waitForURL(/kind=top_up/);
    await eventually(async () => expect(await amounts()).toEqual([25]));
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('credits.csv');
    expect(await page.getByRole('row', { name: /^test/ }).count()).toBe(1);
  });

  it('show the messages of a month in groups', async () => {
    await go('/usage');
    const rows = page.getByRole('table', { name: 'Messages of a month' }).getByRole('row');
    await rows.filter({ hasText: /^Utility/ }).waitFor();
    await page.getByRole('button', { name: 'Template', exact: true }).click();
    await page.waitForURL(/by=template/);
    const sent = rows.filter({ hasText: 'hello_world' });
    await sent.waitFor();
    expect(await sent.innerText()).toMatch(/^hello_world\s+Utility: regular 1\s+1\s+1\s/);
    await page.getByLabel('Month (UTC)').selectOption({ index: 12 });
    await page.waitForURL(/month=20/);
    await page.getByRole('heading', { name: 'No messages' }).waitFor();
    await go('/settings');
    await page.getByRole('heading', { name: 'Rate card' }).waitFor();
    await page.getByText('All accounts of this installation share the rate card').waitFor();
    expect(await layoutViolations(page)).toEqual([]);
  });

  it('filter the ledger by typed days without adding history entries', async () => {
    await go('/settings');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Plan and usage' }).click();
    const from = page.getByLabel('From');
    await from.focus();
    await page.keyboard.type('2026-02-02');
    expect(await from.inputValue()).toBe('2026-02-02');
    expect(page.url()).not.toContain('since=');
    await page.keyboard.press('Enter');
    await page.waitForURL(/since=2026-02-02/);
    await page.getByLabel('Before').fill('2026-02-03');
    await page.getByLabel('Type').focus();
    await page.waitForURL(/until=2026-02-03/);
    await page.getByRole('heading', { name: 'No entries' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  });

  it("show a number's quality change in its history", async () => {
    await go('/numbers');
    await page.getByRole('link', { name: `+${account.phoneNumber}`, exact: true }).click();
    const panel = page.getByRole('complementary', { name: `+${account.phoneNumber}` });
    await panel.getByRole('img', { name: /^Quality over time: Green/ }).waitFor();
    await control('POST', `/numbers/${account.phoneNumber}/quality`, { rating: 'YELLOW', event: 'FLAGGED' });
    await eventually(async () => {
      await page.reload();
      await panel.getByRole('img', { name: /^Quality over time/ }).waitFor();
      const rows = await panel.getByRole('table', { name: 'Quality history' }).getByRole('row').allTextContents();
      expect(rows.slice(1).map((row) => row.match(/Green|Yellow/)?.[0])).toEqual(['Yellow', 'Green']);
    });
    await panel.getByRole('img', { name: /Yellow from/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/numbers$/);
  });

  it("set and delete a number's username", async () => {
    await go('/numbers');
    await page.getByRole('link', { name: `+${account.phoneNumber}`, exact: true }).click();
    const panel = page.getByRole('complementary', { name: `+${account.phoneNumber}` });
    await panel.getByText('This number has no username.').waitFor();
    const name = `shop.${account.phoneNumber}`;
    const field = panel.getByLabel('Username', { exact: true });
    const save = panel.getByRole('button', { name: 'Save username' });
    await field.fill(`taken.${account.phoneNumber}`);
    await save.click();
    await panel.getByText('this user name is not available: choose another one').waitFor();
    await field.fill(`@${name}`);
    await save.click();
    await panel.getByText(`@${name} is visible`).waitFor();
    // Hides the tooltip of the disabled button, which is outside of all landmarks.
    await page.mouse.move(0, 0);
    await page.getByRole('tooltip').waitFor({ state: 'hidden' });
    expect(await layoutViolations(page)).toEqual([]);
    const words = ['--account', account.accountId, '--phone-number', account.phoneNumber];
    expect(await done('numbers', 'username', ...words)).toMatchObject({ username: name, status: 'approved' });
    await panel.getByRole('button', { name: 'Delete username' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await panel.getByText('This number has no username.').waitFor();
    expect(await done('numbers', 'username', ...words)).toMatchObject({ username: null });
    await page.keyboard.press('Escape');
  });

  it('list connection problems of a number with remedies', async () => {
    const { phoneNumber } = await addNumber(account.accountId);
    await control('POST', `/numbers/${phoneNumber}/name`, { status: 'PENDING_REVIEW' });
    await go('/numbers');
    await page
      .getByText(/contacts left$/)
      .first()
      .waitFor();
    await page.getByText('Switchboard Demo').first().waitFor();
    await page.getByRole('link', { name: `+${phoneNumber}`, exact: true }).click();
    const panel = page.getByRole('complementary', { name: `+${phoneNumber}` });
    await panel.getByText('The display name "Switchboard Demo" is not approved: PENDING_REVIEW.').waitFor();
    await panel.getByText('Wait for the review; until then, fewer contacts can be messaged.').waitFor();
    await panel.getByText('No callback about the number has arrived yet.').waitFor();
    expect(await panel.getByText('is not registered').count()).toBe(0);
    expect(await layoutViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await done('numbers', 'remove', '--account', account.accountId, '--phone-number', phoneNumber);
  });

  it('list items that need attention even if a request fails', async () => {
    await control('POST', `/numbers/${account.phoneNumber}/quality`, { rating: 'RED', event: 'FLAGGED' });
    await page.route('**/console/v1/keys?*', (route) => route.abort());
    const care = page.getByRole('region', { name: 'Needs attention' });
    await go('');
    await eventually(async () => {
      await page.reload();
      await care.getByText(`+${account.phoneNumber} has a low quality rating`).waitFor({ timeout: 2_000 });
    });
    await care.getByText('The server does not respond.').waitFor();
    expect(await care.getByText(`+${account.phoneNumber} has a low quality rating`).count()).toBe(1);
    await page.unroute('**/console/v1/keys?*');
    await care.getByRole('button', { name: 'Try again' }).click();
    await care.getByText('The server does not respond.').waitFor({ state: 'detached' });
    await care.getByText(`+${account.phoneNumber} has a low quality rating`).waitFor();
    expect(page.problems.splice(0).filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
  });

  it('change the window policy, opt-out words and retention', async () => {
    const text = (to: string) => account.api.sendMessage({ to, type: 'text', text: { body: 'Hello' } });
    await expect(text(freshPhone())).rejects.toMatchObject({ code: 'WINDOW_CLOSED' });
    await go('/settings');
    await page.getByLabel('Let the platform decide').check();
    await page.getByRole('button', { name: 'Save policy' }).click();
    await page.getByText('Saved. Applies from the next message.').waitFor();
    await eventually(async () => expect(await text(freshPhone())).toMatchObject({ status: 'accepted' }));

    await page.getByRole('checkbox', { name: /^Opt-out words: .*\(STOP, .*STOP PROMOTIONS/ }).uncheck();
    await page.getByRole('textbox', { name: 'Opt-out words' }).fill('BASTA\n');
    await page.getByRole('button', { name: 'Save words' }).click();
    await page.getByText('Saved. Applies from the next inbound message.').waitFor();
    const settings = await done('settings', 'show', '--account', account.accountId);
    expect(settings).toMatchObject({ windowPolicy: 'upstream', optOutWords: ['BASTA'], defaultOptInWords: true });

    await page.getByLabel('Keep forever').uncheck();
    await page.getByLabel('Days to keep messages').fill('200');
    await page.getByRole('button', { name: 'Save retention' }).click();
    await page.getByRole('button', { name: 'Change retention' }).click();
    await page.getByText('Saved. Older data is deleted within an hour.').waitFor();
    const retention = await done('retention', 'show', '--account', account.accountId);
    expect(retention).toMatchObject({ messageDays: 200, mediaDays: 'forever', eventDaysSet: 'default' });
  });

  it('change one-time password settings and count sent codes', async () => {
    const { name: chosen } = await createTemplate([
      { type: 'BODY', text: 'Your code is {{1}}.', example: { body_text: [['482913']] } },
    ]);
    await approved(account, [chosen]);
    await go('/one-time-passwords');
    await eventually(async () => expect(await figure(page, 'Sent').textContent()).toBe('1'));
    expect(await page.getByLabel('Template').inputValue()).toBe('verification_code en_US');
    await page.getByLabel('Send to all countries').uncheck();
    const save = page.getByRole('button', { name: 'Save settings' });
    expect(await save.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Allowed countries').fill('de, at');
    await page.getByLabel('Hourly limit per number range').fill('7');
    await page.getByLabel('Template').selectOption(`${chosen} en_US`);
    await save.click();
    await page.getByText('Saved. The next code uses these settings.').waitFor();
    expect(await done('otp', 'show', '--account', account.accountId)).toMatchObject({
      template: chosen,
      language: 'en_US',
      countries: ['DE', 'AT'],
      sendsPerPrefix: 7,
    });
    await expect(account.api.sendOtp({ to: freshPhone(), otp: '482913' })).rejects.toMatchObject({ status: 422 });
  });

  it('are read-only for viewers and explain why', async () => {
    const other = await openAs(browser, viewer, '/settings');
    for (const name of ['Save policy', 'Save words', 'Save retention']) {
      const button = other.getByRole('button', { name });
      await button.waitFor();
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      expect(await button.getAttribute('aria-description')).toMatch(
        /^Requires the role (admin|owner)\. Your role is viewer\.$/,
      );
    }
    await other.goto(addressOf('/one-time-passwords'));
    const save = other.getByRole('button', { name: 'Save settings' });
    await save.waitFor();
    expect(await save.getAttribute('aria-disabled')).toBe('true');
    expect(other.problems).toEqual([]);
    await other.context().close();
  });

  it('open with keyboard shortcuts', async () => {
    await go('');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const places = { n: 'Numbers', u: 'Plan and usage', s: 'Settings', x: 'One-time passwords' };
    for (const [key, heading] of Object.entries(places)) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    }
  });
});
