import { verifyWebhook } from '@switchboard/client';
import {
  acceptingChallenge,
  answering,
  eventually,
  type ReceivedRequest,
  type Receiver,
  type Responder,
  startReceiver,
} from '@switchboard/testing';
import type { Browser, Page } from 'playwright-core';
import { newAccount, type TestAccount, newUser } from '../support/account';
import { addressOf, openAs, startBrowser, type Visitor } from '../support/browser';
import { freshPhone, writeIn } from '../support/simulator';
import { passRetryDelays } from '../support/webhooks';

const SETTINGS = '/integrations/messaging/webhook-settings';
const LOG = '/integrations/webhook-log';
type DashboardPage = Page & { problems: string[] };

describe('webhook pages', () => {
  let browser: Browser;
  let account: TestAccount;
  let owner: Visitor;
  let page: DashboardPage;
  /** Open from the start, and untouched until the last test. */
  let watching: DashboardPage;
  let watchedRows = 0;
  let receiver: Receiver;
  let second: Receiver;
  let secret = '';

  beforeAll(async () => {
    [browser, account, receiver, second] = await Promise.all([
      startBrowser(),
      newAccount('Webhooks'),
      startReceiver(),
      startReceiver(),
    ]);
    owner = await newUser(account.accountId);
    page = await openAs(browser, owner, SETTINGS);
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await Promise.all([receiver.close(), second.close()]);
  });

  const go = (path: string) => page.goto(addressOf(path));
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const rows = () => page.locator('table[aria-label="Webhook events"] tbody tr');
  const search = () => page.getByLabel('Search by phone or ID');
  const idOf = ({ headers }: ReceivedRequest): string => String(headers['x-service-event-id']);
  const posts = (of = receiver): ReceivedRequest[] => of.received.filter(({ method }) => method === 'POST');

  /** Sends a test event from the page, and stays on its log entry. */
  async function testEvent(): Promise<string> {
    await go(SETTINGS);
    await button('Send test event').first().click();
    await button('Send').click();
    await page
      .getByRole('status')
      .filter({ hasText: /^Delivered: your endpoint returned 200 in \d+ ms/ })
      .waitFor();
    await page.getByRole('link', { name: 'View the response of your endpoint' }).click();
    await page.getByText('Attempt 1:').waitFor();
    return page.url().split('/').at(-1) ?? '';
  }

  /** Makes events fail at the endpoint until the service drops them. */
  async function dropped(phones: string[], respond: Responder = answering(503, { body: 'closed for today' })) {
    receiver.respondWith(respond);
    const before = receiver.received.length;
    await Promise.all(phones.map((phone) => writeIn(phone, 'Hello', { to: account.phoneNumber })));
    await eventually(
      async () => {
        await passRetryDelays(account.accountId);
        const attempts = receiver.received.slice(before).map(({ headers }) => headers['x-service-attempt']);
        expect(attempts.filter((attempt) => attempt === '5').length).toBe(phones.length);
      },
      { timeoutMs: 30_000 },
    );
    receiver.respondWith(answering(200));
  }

  it('reject an endpoint that fails the challenge', async () => {
    await button('Add endpoint').first().click();
    await page.getByLabel('URL').fill('not a url');
    await page.getByLabel('Verify token').fill('my-token');
    await button('Verify and add').click();
    await page.getByRole('textbox', { name: 'URL', description: /it is not a URL/ }).waitFor();
    await page.getByLabel('URL').fill(`${receiver.url}/hook`);
    // The platform reports templates to all accounts of a business, and other tests submit some for review.
    await page.getByLabel('Incoming messages').check();
    receiver.respondWith(answering(200));
    await button('Verify and add').click();
    await page.getByText('the endpoint answered 200, but its body is not the value of hub.challenge').waitFor();
    await page.getByText('Nothing was saved.').waitFor();
    receiver.respondWith(acceptingChallenge('my-token'));
    await button('Verify and add').click();
    await page.getByRole('heading', { name: 'Copy the signing secret' }).waitFor();
    secret = (await page.getByRole('dialog').locator('code').first().textContent()) ?? '';
    await button('I have stored the secret').click();
    await page.getByText('Enabled').waitFor();
    watching = await openAs(browser, owner, LOG);
    // Other tests may have caused an event of all accounts.
    await watching.getByText('No events yet').or(watching.locator('table tbody tr').first()).waitFor();
    watchedRows = await watching.locator('table tbody tr').count();
  });

  it('replay an event with the same id', async () => {
    receiver.respondWith((_, response) => response.writeHead(200).end('<img src=x onerror=alert(1)>'));
    const eventId = await testEvent();
    await page.getByText('Attempt 1: 200').waitFor();
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    // While the endpoints fail to load, the page does not claim that there are none.
    await page.route('**/console/v1/webhook-endpoints', (route) => route.abort());
    await page.reload();
    await page.getByText('Attempt 1: 200').waitFor();
    expect(await button('Replay').getAttribute('aria-description')).toBe('Wait for the endpoints to load');
    await page.locator('.panel').getByText('The server does not respond.').waitFor();
    await page.unroute('**/console/v1/webhook-endpoints');
    await page.locator('.panel').getByRole('button', { name: 'Try again' }).click();
    await page.locator('.panel').getByText('The server does not respond.').waitFor({ state: 'detached' });
    expect(page.problems.splice(0).filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
    const received = () => posts().filter((request) => idOf(request) === eventId);
    expect(received()).toHaveLength(1);
    await button('Replay').click();
    await eventually(() => expect(received().length).toBe(2));
    expect(received()[1]?.body).toEqual(received()[0]?.body);
    const repeated = page.locator('.panel section', { hasText: 'Attempt 1' }).nth(1);
    await repeated.locator('h3', { hasText: 'Replay' }).waitFor();
    await repeated.getByText('Request headers').click();
    await repeated.getByText(`webhook-id: ${eventId}`).waitFor();
    expect(await page.locator('.panel h3', { hasText: 'Replay' }).count()).toBe(1);
  });

  it('rotate a secret and expire the old one on demand', async () => {
    await page.goto(addressOf(SETTINGS));
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
    await button('Rotate secret').click();
    await page.getByRole('heading', { name: 'Copy the signing secret' }).waitFor();
    const next = (await page.getByRole('dialog').locator('code').first().textContent()) ?? '';
    await button('I have stored the secret').click();
    await page.getByText('Secret rotation in progress.').waitFor();
    const bothSecrets = async (): Promise<boolean[]> => {
      const eventId = await testEvent();
      const request = posts().find((one) => idOf(one) === eventId);
      if (!request) throw new Error('the test event did not come');
      const standard = { ...request.headers, 'x-service-signature': undefined };
      const takes = (headers: object, key: string): boolean => {
        try {
          verifyWebhook(request.body, headers as typeof request.headers, key);
          return true;
        } catch {
          return false;
        }
      };
      const service = { ...request.headers, 'webhook-signature': undefined };
      return [takes(standard, secret), takes(standard, next), takes(service, secret), takes(service, next)];
    };
    const during = await bothSecrets();
    await go(SETTINGS);
    await button('Expire old secret now').click();
    await page.getByText('Old secret expired.').waitFor();
    const afterwards = await bothSecrets();
    expect({ during, afterwards }).toEqual({
      during: [true, true, true, false],
      afterwards: [false, true, false, true],
    });
    secret = next;
  });

  it('find a dropped event by phone number and replay it', async () => {
    const phone = freshPhone();
    await dropped([phone]);
    await go(LOG);
    await search().fill(`+${phone.slice(0, 2)} ${phone.slice(2, 7)}-${phone.slice(7)}`);
    await page.waitForURL(/search=/);
    await eventually(async () => expect(await rows().count()).toBe(1));
    const row = rows().first();
    expect(await row.innerText()).toMatch(/message\s.*503\s.*Dropped/s);
    await row.getByRole('link').click();
    await page.getByText('Attempt 5: 503').waitFor();
    expect(await page.getByText(/^Attempt \d: 503$/).count()).toBe(5);
    await page.getByText('closed for today').first().waitFor();
    const eventId = page.url().split('/').at(-1)?.split('?')[0] ?? '';
    const before = posts().filter((request) => idOf(request) === eventId).length;
    expect(before).toBe(5);
    await button('Replay').click();
    await eventually(() => expect(posts().filter((request) => idOf(request) === eventId).length).toBe(6));
    const last = posts().at(-1);
    expect(verifyWebhook(last?.body ?? '', last?.headers ?? {}, secret)).toMatchObject({ eventId, event: 'message' });
    await page.locator('.panel-head .st', { hasText: 'Delivered' }).waitFor();
  }, 60_000);

  it('find events by the reason of a failed attempt', async () => {
    await go(`${LOG}?errorClass=status`);
    await page.getByLabel('Failure').waitFor();
    await eventually(async () => expect(await rows().count()).toBe(1));
    await page.getByLabel('Failure').selectOption('timeout');
    await page.getByText('No events match').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await rows().nth(1).waitFor();
    expect(page.url()).toBe(addressOf(LOG));
  });

  it('replay only the counted events and show the progress', async () => {
    await dropped([freshPhone(), freshPhone(), freshPhone()]);
    const before = posts().length;
    await go(LOG);
    // Without a count, nothing is replayed.
    await page.route('**/webhook-replays/count**', (route) => route.abort());
    await button('Replay dropped').click();
    const start = page.getByRole('dialog').getByRole('button', { name: /^Replay/ });
    await page.getByText('The server does not respond.').first().waitFor();
    expect([await start.innerText(), await start.getAttribute('aria-disabled')]).toEqual(['Replay dropped', 'true']);
    await start.click({ force: true });
    await page.unroute('**/webhook-replays/count**');
    page.problems.splice(0);
    await page.getByRole('dialog').getByRole('button', { name: 'Replay 3 dropped' }).waitFor();
    await page.getByLabel('Event type').selectOption('phone_number_quality');
    await page.getByRole('dialog').getByRole('button', { name: 'Replay 0 dropped' }).waitFor();
    expect(await start.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Event type').selectOption('message');
    await page.getByLabel('Event time').selectOption('between');
    await page.getByLabel('From').fill('2026-01-01T00:00');
    await page.getByLabel('To', { exact: true }).fill('2026-01-02T00:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Replay 0 dropped' }).waitFor();
    await page.getByLabel('Event time').selectOption('1h');
    expect(posts()).toHaveLength(before);
    await page.getByRole('dialog').getByRole('button', { name: 'Replay 3 dropped' }).click();
    await page.getByText('3 of 3 deliveries queued again.').waitFor();
    await page.getByText('The replay is complete.').waitFor();
    await eventually(() => expect(posts().length).toBe(before + 3));
    await page.getByRole('link', { name: 'All replays' }).click();
    const replay = page.locator('table[aria-label=Replays] tbody tr').first();
    await replay.waitFor();
    expect(await replay.innerText()).toMatch(/Incoming messages\s.*3 of 3\s.*Complete/s);
  }, 60_000);

  it('separate the metrics and logs of two endpoints', async () => {
    await go(SETTINGS);
    second.respondWith(acceptingChallenge('other-token'));
    await button('Add endpoint').first().click();
    await page.getByLabel('URL').fill(`${second.url}/second`);
    await page.getByLabel('Verify token').fill('other-token');
    await page.getByLabel('Number quality').check();
    await button('Verify and add').click();
    await button('I have stored the secret').click();
    const blockOf = (url: string) => page.locator('section.block', { hasText: url });
    await blockOf(second.url).getByText('Number quality').waitFor();
    const figures = blockOf(receiver.url).locator('.figures');
    await figures.waitFor();
    // Three test events, one replay, four dropped that were delivered when they were replayed.
    expect(await figures.innerText()).toMatch(/Delivered\s+\d+%?[\d.]*%?\s.*Dropped\s+4\s.*Last success/s);
    await blockOf(second.url).getByRole('button', { name: 'Send test event' }).click();
    await button('Send').click();
    await page.getByRole('link', { name: 'View the response of your endpoint' }).click();
    await page.getByText('Attempt 1: 200').waitFor();
    expect(posts(second)).toHaveLength(1);
    expect(await page.locator('.panel h3').first().innerText()).toContain(`${second.url}/second`);
    await go(LOG);
    await page.getByLabel('Endpoint').selectOption({ label: `${second.url.replace('http://', '')}/second` });
    await page.waitForURL(/endpointId=ep_/);
    await eventually(async () => expect(await rows().count()).toBe(1));
  });

  it('keep filters across reloads and copied links without extra history', async () => {
    await go('/keys');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.getByRole('link', { name: 'Webhook log' }).click();
    await page.getByLabel('Status').selectOption('delivered');
    await page.waitForURL(/state=delivered/);
    for (const text of ['91', '9198', '919812']) {
      await search().fill(text);
      await page.waitForURL(new RegExp(`search=${text}$`));
    }
    await page.reload();
    expect([await page.getByLabel('Status').inputValue(), await search().inputValue()]).toEqual([
      'delivered',
      '919812',
    ]);
    const copied = await openAs(browser, owner, page.url().replace(addressOf(''), ''));
    await copied.getByLabel('Status').waitFor();
    expect(await copied.getByLabel('Search by phone or ID').inputValue()).toBe('919812');
    await copied.context().close();
    // Typed text is a single history entry: two steps back is the page before the log.
    await page.goBack();
    await eventually(() => expect(page.url()).toBe(addressOf(LOG)));
    expect([await page.getByLabel('Status').inputValue(), await search().inputValue()]).toEqual(['', '']);
    await page.goBack();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.goForward();
    await page.goForward();
    await page.waitForURL(/search=919812$/);
    await eventually(async () => expect(await search().inputValue()).toBe('919812'));
    // A link to the log without filters clears the field, which stays empty.
    await page.getByRole('link', { name: 'Webhook log' }).click();
    await eventually(async () => expect(await search().inputValue()).toBe(''));
    await rows().nth(3).waitFor();
    expect(page.url()).toBe(addressOf(LOG));
  });

  it('count new log entries and show them on demand', async () => {
    const news = watching.getByRole('button', { name: /^\d+\+? new$/ });
    await news.waitFor();
    expect(await watching.locator('table tbody tr').count()).toBe(watchedRows);
    await news.click();
    await watching.locator('table tbody tr').nth(3).waitFor();
    expect(watching.problems).toEqual([]);
    await watching.context().close();
  });

  it('find events by the status that they report', async () => {
    const { message_id: id } = await account.api.sendMessage({
      to: freshPhone(),
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    });
    // An open log shows new events on demand only.
    await eventually(async () => {
      await go(`${LOG}?messageId=${id}`);
      await rows().first().waitFor();
      expect(await page.getByRole('link', { name: 'message_status: delivered' }).count()).toBe(1);
    });
    await page.getByRole('combobox', { name: 'Event', exact: true }).selectOption('message_status: sent');
    await page.waitForURL(/reports=sent/);
    await eventually(async () => expect(await rows().count()).toBe(1));
    await page.getByRole('link', { name: 'message_status: sent' }).click();
    await page.locator('.panel').getByText('No endpoint was subscribed to this event').waitFor();
    await page.reload();
    expect(await page.getByRole('combobox', { name: 'Event', exact: true }).inputValue()).toBe('message_status: sent');
  });
});
