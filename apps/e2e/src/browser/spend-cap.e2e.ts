import { SAMPLE_RATES } from '@switchboard/testing';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { done } from '../support/installation';
import { freshPhone } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';

const ratesFile = join(tmpdir(), `cap-rates-${process.pid}.csv`);

describe('spend cap of the account', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  let name: string;

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Spend caps')]);
    ({ name } = await createTemplate([{ type: 'BODY', text: 'Good morning.' }], { category: 'MARKETING' }));
    await writeFile(ratesFile, SAMPLE_RATES);
    await Promise.all([approved(account, [name]), done('rates', 'import', ratesFile, '--replace')]);
    page = await openAs(browser, await newUser(account.accountId), '/usage');
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await rm(ratesFile, { force: true });
  });

  const section = () => page.getByRole('region', { name: 'Spend cap' });
  const field = () => section().getByLabel('Cap per month (USD)');
  const button = (text: string) => section().getByRole('button', { name: text });
  /** Sends a message of 0.0118 USD. */
  const send = () =>
    account.api.sendMessage({
      to: freshPhone(),
      type: 'template',
      template: { name, language: { code: 'en_US' } },
    });

  it('rejects an invalid amount with a clear error at the field', async () => {
    await section().getByText('No cap. Messages are sent regardless of their price.').waitFor();
    for (const amount of ['', '1,5', 'ten']) {
      await field().fill(amount);
      await button('Set cap').click();
      await section().getByText('It must be an amount such as "500.00", with at most 8 decimals.').waitFor();
      expect(await field().getAttribute('aria-invalid')).toBe('true');
    }
    expect((await account.api.getUsage()).spendCap).toBeNull();
  });

  it('is shown as nearly reached and reached, and is raised', async () => {
    await field().fill('0.059');
    await button('Set cap').click();
    await page.getByText('Spend cap saved').waitFor();
    await section().getByText('0 %', { exact: true }).waitFor();
    for (let sent = 0; sent < 4; sent += 1) await send();
    await page.reload();
    await section().getByText('The cap is nearly reached: 80 % is used.').waitFor();
    await send();
    await page.reload();
    await section().getByText('The cap is reached.').waitFor();
    await section().getByText('100 %', { exact: true }).waitFor();
    expect(await layoutViolations(page)).toEqual([]);
    await expect(send()).rejects.toMatchObject({ code: 'SPEND_CAP_REACHED' });
    await field().fill('0.10');
    await button('Save cap').click();
    await section().getByText('59 %', { exact: true }).waitFor();
    expect(await section().getByText('The cap is').count()).toBe(0);
    await send();
    expect((await account.api.getUsage()).spendCap).toMatchObject({ amount: '0.10', currency: 'USD' });
  }, 60_000);

  it.each(['admin', 'viewer'] as const)('is read-only for the role %s', async (role) => {
    const visitor = await openAs(browser, await newUser(account.accountId, role), '/usage');
    const shown = visitor.getByRole('region', { name: 'Spend cap' });
    await shown.getByText('0.10 USD', { exact: true }).waitFor();
    expect(await shown.getByLabel('Cap per month (USD)').isDisabled()).toBe(true);
    const save = shown.getByRole('button', { name: 'Save cap' });
    await save.click({ force: true });
    expect(await save.getAttribute('aria-description')).toBe(`Requires the role owner. Your role is ${role}.`);
    expect(await shown.getByRole('button', { name: 'Remove cap' }).count()).toBe(0);
    expect(visitor.problems).toEqual([]);
    await visitor.context().close();
  });

  it('is removed', async () => {
    await page.goto(addressOf('/usage'));
    await button('Remove cap').click();
    await section().getByText('No cap. Messages are sent regardless of their price.').waitFor();
    expect((await account.api.getUsage()).spendCap).toBeNull();
  });
});
