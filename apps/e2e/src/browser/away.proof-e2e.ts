import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, newUser } from '../support/account';
import { openAs, startBrowser } from '../support/browser';
import { type OwnGateway, startOwnGateway } from '../support/own-gateway';

/** Browser errors after the server was killed. */
const CUT_OFF = /^Failed to load resource: net::ERR_CONNECTION_(REFUSED|RESET)$/;

describe('a page whose server is unavailable', () => {
  let browser: Browser;
  let gateway: OwnGateway;

  beforeAll(async () => {
    [browser, gateway] = await Promise.all([startBrowser(), startOwnGateway()]);
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    await gateway.kill();
  });

  it('reports the outage, keeps its data and recovers automatically', async () => {
    const { accountId } = await newAccount('Away');
    const page = await openAs(browser, await newUser(accountId), gateway.dashboardUrl);
    await page.getByText(/of 4 done/).waitFor();
    await gateway.kill();
    await page.getByText('The server does not respond. Check your connection.').first().waitFor();
    expect(await page.getByText(/of 4 done/).count()).toBe(1);
    // A page opened during the outage reports it, too.
    await page.getByRole('link', { name: 'API keys' }).first().click();
    await page.getByText('The page is still loading. Check your connection if this takes long.').waitFor();
    await gateway.start();
    await page.getByRole('link', { name: 'test' }).waitFor();
    await eventually(async () => expect(await page.getByText('The server does not respond.').count()).toBe(0));
    // Requests in flight when the gateway is killed are reset; later ones are refused.
    expect(page.problems.filter((problem) => !CUT_OFF.test(problem)).join('; ')).toBe('');
    await page.context().close();
  }, 90_000);
});
