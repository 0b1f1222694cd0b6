import { setTimeout as pass } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { newAccount, newUser } from '../support/account';
import { addressOf, openAs, startBrowser } from '../support/browser';
import { freshPhone, writeIn } from '../support/simulator';

/** Time in which a newly opened page still polls at the normal rate. */
const SETTLE_MS = 15_000;
const MINUTE_MS = 60_000;

describe('requests of an open conversation', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  }, 300_000);
  afterAll(() => browser.close());

  it('fall to at most a quarter while the stream is open', async () => {
    const account = await newAccount('Requests');
    const phone = freshPhone();
    await writeIn(phone, 'Hello', { to: account.phoneNumber });
    const requestsPerMinute = async (isCut: boolean): Promise<number> => {
      const page = await openAs(browser, await newUser(account.accountId), '/profile');
      if (isCut) await page.route('**/console/v1/events*', (route) => route.fulfill({ status: 429, body: '{}' }));
      await page.goto(addressOf(`/conversations/${phone}`));
      await page.getByRole('log', { name: 'Messages' }).getByText('Hello', { exact: true }).waitFor();
      await pass(SETTLE_MS);
      let requests = 0;
      page.on('request', (request) => (requests += Number(/\/console\/v1\/(?!events)/.test(request.url()))));
      await pass(MINUTE_MS);
      await page.context().close();
      return requests;
    };
    const [live, polling] = await Promise.all([requestsPerMinute(false), requestsPerMinute(true)]);
    process.stdout.write(`requests per minute of an open conversation: ${live} with the stream, ${polling} without\n`);
    expect(live).toBeLessThanOrEqual(polling / 4);
  }, 180_000);
});
