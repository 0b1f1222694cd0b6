import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount } from '../support/account';
import { newVisitor, openAs, startBrowser } from '../support/browser';
import { type OwnGateway, startOwnGateway } from '../support/own-gateway';

describe('a page whose server is away', () => {
  let browser: Browser;
  let gateway: OwnGateway;

  beforeAll(async () => {
    [browser, gateway] = await Promise.all([startBrowser(), startOwnGateway()]);
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    await gateway.kill();
  });

  it('says so, keeps what it has read, and goes on by itself when the server is back', async () => {
    const { accountId } = await newAccount('Away');
    const page = await openAs(browser, await newVisitor(accountId), gateway.dashboardUrl);
    await page.getByText(/of 4 done/).waitFor();
    await gateway.kill();
    await page.getByText('The server does not answer. Check your connection.').first().waitFor();
    expect(await page.getByText(/of 4 done/).count()).toBe(1);
    // A page that was not open yet is away as well, and says so.
    await page.getByRole('link', { name: 'API keys' }).first().click();
    await page.getByText('The page is still loading. Check your connection if this takes long.').waitFor();
    await gateway.start();
    await page.getByRole('link', { name: 'test' }).waitFor();
    await eventually(async () => expect(await page.getByText('The server does not answer.').count()).toBe(0));
    expect(page.problems.filter((problem) => !problem.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
    await page.context().close();
  }, 90_000);
});
