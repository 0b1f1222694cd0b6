import { acceptingChallenge, answering, eventually, type Receiver, startReceiver } from '@switchboard/testing';
import type { Browser, Page } from 'playwright-core';
import { clientOf } from '../support/api';
import { newAccount, type TestAccount } from '../support/account';
import { addressOf, newVisitor, openAs, startBrowser, type Visitor } from '../support/browser';
import { freshPhone } from '../support/simulator';

const REVIEW_MS = 40_000;

describe('the pages of the dashboard', () => {
  let browser: Browser;
  let account: TestAccount;
  let owner: Visitor;
  let page: Page & { problems: string[] };
  let receiver: Receiver;

  beforeAll(async () => {
    [browser, account, receiver] = await Promise.all([startBrowser(), newAccount('Pages'), startReceiver()]);
    owner = await newVisitor(account.accountId);
    page = await openAs(browser, owner);
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await receiver.close();
  });

  const go = (path: string) => page.goto(addressOf(path));
  const badge = (word: string) => page.locator('.page-head .st', { hasText: word });
  const newDraft = async (name: string): Promise<void> => {
    await go('/templates/new');
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Write it' }).click();
    await page.getByLabel('Body text').waitFor();
  };
  let templateName = '';

  it('show each fault of a template at its field while somebody types, and the message with each key', async () => {
    templateName = `parcel_${Date.now()}`;
    await newDraft(templateName);
    const body = page.getByLabel('Body text');
    const preview = page.getByTestId('preview');
    await body.fill('Hi {{1}}, your parcel comes on {{2}}');
    await page.getByText('a variable cannot stand at the beginning or the end').waitFor();
    expect(await body.getAttribute('aria-invalid')).toBe('true');
    expect(await preview.textContent()).toContain('Hi {{1}}, your parcel comes on {{2}}');
    const submit = page.getByRole('button', { name: 'Submit for approval' });
    expect(await submit.getAttribute('aria-disabled')).toBe('true');
    await body.fill('Hi {{1}}, your parcel comes on {{2}} as you have asked.');
    await page.getByLabel('Sample for 1 of Body').fill('Asha <i>');
    await page.getByLabel('Sample for 2 of Body').fill('Monday');
    expect(await preview.textContent()).toContain('Hi Asha <i>, your parcel comes on Monday as you have asked.');
    await page.getByRole('button', { name: 'Add button' }).click();
    await page.getByText('a text is needed').waitFor();
    await page.getByLabel('Text 1').fill('Thanks');
    await page.getByText('No faults').waitFor();
  });

  it('show a template approved without a reload', async () => {
    await page.getByRole('button', { name: 'Submit for approval' }).click();
    await badge('Approved').waitFor({ timeout: REVIEW_MS });
    expect(page.url()).toMatch(/\/dashboard\/templates\/\d+$/);
    expect((await account.api.listTemplates()).templates.map(({ name }) => name)).toContain(templateName);
  }, 60_000);

  it('show why a template was rejected, and let it be written again', async () => {
    await newDraft(`reject_me_${Date.now()}`);
    await page.getByLabel('Body text').fill('Your order is on its way to you now.');
    await page.getByRole('button', { name: 'Submit for approval' }).click();
    await badge('Rejected').waitFor({ timeout: REVIEW_MS });
    await page
      .getByRole('alert')
      .getByText(/^Rejected: /)
      .waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Body text').waitFor();
    await badge('Draft').waitFor();
  }, 60_000);

  it('take a picture for a header, refuse what is none, and have it approved', async () => {
    await newDraft(`menu_${Date.now()}`);
    await page.getByRole('button', { name: 'Image', exact: true }).click();
    await page.getByText('one example is needed').waitFor();
    const choose = page.getByLabel('Sample', { exact: true });
    await choose.setInputFiles({ name: 'menu.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await page
      .locator('.fault', { hasText: /file|type/ })
      .first()
      .waitFor();
    await choose.setInputFiles({ name: 'menu.png', mimeType: 'image/png', buffer: await page.screenshot() });
    await page.getByText('menu.png is uploaded.').waitFor();
    await page.getByRole('img', { name: 'Sample of the header' }).waitFor();
    await page.getByLabel('Body text').fill('The menu of this week is here for you.');
    await page.getByText('No faults').waitFor();
    await page.getByRole('button', { name: 'Submit for approval' }).click();
    await badge('Approved').waitFor({ timeout: REVIEW_MS });
  }, 60_000);

  it('show a key once, which works, is refused from another address, and dies when it is revoked', async () => {
    await go('/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Web shop');
    await page.getByRole('button', { name: 'Create key' }).last().click();
    const key = (await page.getByRole('dialog').locator('code').first().textContent()) ?? '';
    await page.getByLabel('I have stored it safely').check();
    await page.getByRole('button', { name: 'Done' }).click();
    const api = clientOf(key);
    expect((await api.getMe()).apiClient.name).toBe('Web shop');
    await page.getByRole('link', { name: 'Web shop' }).click();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Addresses').fill('203.0.113.9');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => expect(api.getMe()).rejects.toMatchObject({ code: 'IP_NOT_ALLOWED' }));
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByLabel('Type Web shop to confirm').fill('Web shop');
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await eventually(() => expect(api.getMe()).rejects.toMatchObject({ code: 'UNAUTHORIZED' }));
    await page.locator('.panel-head .st', { hasText: 'Revoked' }).waitFor();
  });

  it('save no webhook that fails the challenge, and say what it answered', async () => {
    await go('/integrations/messaging/webhook-settings');
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    await page.getByLabel('URL').fill(`${receiver.url}/hook`);
    await page.getByLabel('Verify token').fill('my-token');
    receiver.respondWith(answering(200));
    await page.getByRole('button', { name: 'Verify and add' }).click();
    await page.getByText('the endpoint answered 200, but its body is not the value of hub.challenge').waitFor();
    await page.getByText('Nothing was saved.').waitFor();
    receiver.respondWith(acceptingChallenge('my-token'));
    await page.getByRole('button', { name: 'Verify and add' }).click();
    await page.getByRole('heading', { name: 'Copy the signing secret now' }).waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('Enabled').waitFor();
  });

  it('show what an endpoint answered to an event, as text, and send it again with the same id', async () => {
    receiver.respondWith((_, response) => response.writeHead(200).end('<img src=x onerror=alert(1)>'));
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('link', { name: 'See what your endpoint answers' }).click();
    await page.getByText('Attempt 1: 200').waitFor();
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    const eventId = page.url().split('/').at(-1) ?? '';
    const received = () => receiver.received.filter(({ body }) => body.includes(eventId)).length;
    const before = received();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await eventually(() => expect(received()).toBe(before + 1));
  });

  it('keep their filters over a reload, the back button and a copied link', async () => {
    await go('/integrations/webhook-log');
    await page.getByLabel('State').selectOption('delivered');
    await page.getByLabel('Search by phone or id').fill('9198');
    await page.waitForURL(/search=9198/);
    expect(page.url()).toContain('state=delivered');
    await page.reload();
    expect(await page.getByLabel('State').inputValue()).toBe('delivered');
    const copied = await openAs(browser, owner, page.url().replace(addressOf(''), ''));
    await copied.getByLabel('State').waitFor();
    expect(await copied.getByLabel('Search by phone or id').inputValue()).toBe('9198');
    await copied.context().close();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.goBack();
    await page.waitForURL(/state=delivered/);
    expect(await page.getByLabel('State').inputValue()).toBe('delivered');
  });

  it('ask for every value of a template before a test send', async () => {
    const phone = freshPhone();
    await go('/templates');
    await page.getByRole('link', { name: templateName }).click();
    await page.getByRole('button', { name: 'Test send' }).click();
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await page.getByLabel('{{2}} of Body').fill('');
    await page.getByRole('textbox', { name: 'Phone' }).fill(phone);
    expect(await send.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('{{2}} of Body').fill('Friday');
    await send.click();
    await page.getByText('The platform took it.').waitFor();
    const { messages } = await account.api.listMessages({ phone });
    expect(JSON.stringify(messages)).toContain('Friday');
    await page.getByRole('button', { name: 'Close' }).last().click();
  });
});
