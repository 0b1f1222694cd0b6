import { eventually } from '@switchboard/testing';
import type { Browser, Page } from 'playwright-core';
import { newAccount, type TestAccount, newUser } from '../support/account';
import { clientOf } from '../support/api';
import { addressOf, openAs, startBrowser, type Visitor } from '../support/browser';
import { signIn } from '../support/console';
import { demo, done } from '../support/installation';

describe('API keys, API guide and audit log', () => {
  let browser: Browser;
  let account: TestAccount;
  let owner: Visitor;
  let page: Page & { problems: string[] };

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Keys')]);
    owner = await newUser(account.accountId);
    page = await openAs(browser, owner, '/keys');
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  const go = (path: string) => page.goto(addressOf(path));

  it('create a key, restrict it to an address, and revoke it', async () => {
    await page.getByText('1', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Web shop');
    await page.getByRole('button', { name: 'Create key' }).last().click();
    const key = (await page.getByRole('dialog').locator('code').first().textContent()) ?? '';
    await page.getByText(`curl ${demo.baseUrl}/me`).waitFor();
    await page.getByLabel('I have stored the key').check();
    await page.getByRole('button', { name: 'Done' }).click();
    const api = clientOf(key);
    expect((await api.getMe()).apiClient.name).toBe('Web shop');
    await page.getByRole('link', { name: 'Web shop' }).click();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('IP allowlist').fill('203.0.113.9');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => expect(api.getMe()).rejects.toMatchObject({ code: 'IP_NOT_ALLOWED' }));
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('Requests with this key are rejected within a second.').waitFor();
    await page.getByLabel('Type Web shop to confirm').fill('Web shop');
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await eventually(() => expect(api.getMe()).rejects.toMatchObject({ code: 'UNAUTHORIZED' }));
    await page.locator('.panel-head .st', { hasText: 'Revoked' }).waitFor();
    expect(await page.locator('.page-head .count').innerText()).toBe('2');
  });

  it('rotate a key while both keys work for a period', async () => {
    const issued = await done('keys', 'create', '--account', account.accountId, '--name', 'Warehouse');
    await go('/keys');
    await page.getByRole('link', { name: 'Warehouse' }).click();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const next = (await page.getByRole('dialog').locator('code').first().textContent()) ?? '';
    await page.getByLabel('I have stored the key').check();
    await page.getByRole('button', { name: 'Done' }).click();
    for (const key of [String(issued['apiKey']), next])
      expect((await clientOf(key).getMe()).apiClient.name).toBe('Warehouse');
    await page.locator('.panel-head .st', { hasText: 'Expires in' }).waitFor();
  });

  it('suggest an action when the key list is empty', async () => {
    await go('/keys?state=expired');
    await page.getByRole('heading', { name: 'No expired keys' }).waitFor();
    await page.getByRole('link', { name: 'Show all keys' }).click();
    await page.getByRole('link', { name: 'Web shop' }).waitFor();
    await go('/keys?state=none-such');
    await page.getByRole('link', { name: 'Web shop' }).waitFor();
    const { accountId } = await done('accounts', 'create', '--name', 'Without keys', '--plan', 'scale');
    const other = await openAs(browser, await newUser(String(accountId)), '/keys');
    await other.getByRole('button', { name: 'Create API key' }).click();
    await other.getByRole('dialog').getByLabel('Name', { exact: true }).waitFor();
    expect(other.problems).toEqual([]);
    await other.context().close();
  });

  it("show API examples with this installation's URL", async () => {
    await go('/api-guide');
    await page.getByText(`curl ${demo.baseUrl}/me `).first().waitFor();
    await page.getByText('sb_live_', { exact: true }).waitFor();
    const calls = page.getByRole('group', { name: 'Language of the calls' });
    await calls.getByRole('button', { name: 'Python' }).click();
    await page.locator('figure', { hasText: 'Template' }).getByText('send_message').waitFor();
    const simulator = page.getByRole('link', { name: 'Open the simulator' });
    const answer = await fetch((await simulator.getAttribute('href')) ?? '');
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('<title>')]);
    for (const [language, line] of [
      ['TypeScript', 'timingSafeEqual'],
      ['Python', 'hmac.compare_digest'],
      ['PHP', 'hash_equals'],
    ] as const) {
      const languages = page.getByRole('group', { name: 'Language of the receiver' });
      await languages.getByRole('button', { name: language }).click();
      await page.locator('figure', { hasText: 'Receiver' }).getByText(line).first().waitFor();
    }
  });

  it('filter the audit log by user and resource', async () => {
    const admin = await newUser(account.accountId, 'admin');
    const session = await signIn(admin.email, admin.password);
    const me = (await session.call('GET', '/me')).body as { user: { id: string } };
    const draft = await session.call('POST', '/template-drafts', {
      name: 'parcel_news',
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Your parcel is on its way to you.' }],
    });
    const { id } = draft.body.draft as { id: string };
    await session.call('PATCH', `/template-drafts/${id}`, { category: 'MARKETING' });
    await go('/audit');
    await page.getByLabel('Actor').selectOption(me.user.id);
    await page.getByLabel('Resource').selectOption('template');
    const list = page.locator('table[aria-label="Audit log"] tbody tr');
    await eventually(async () => expect(await list.count()).toBe(2));
    expect(await list.first().innerText()).toMatch(/Draft changed\s.*parcel_news \(en_US\)\s.*Asha\s.*Done/s);
    await page.getByRole('link', { name: 'Draft created' }).click();
    await page.waitForURL(/\/audit\/aud_/);
    await page.reload();
    const panel = page.locator('.panel');
    await panel.getByText('UTILITY').waitFor();
    expect(await panel.innerText()).toMatch(/Draft created[^]*template-draft\.create[^]*Category\s+UTILITY/);
    // A copied link shows the entry, though the list beside it may hold others.
    const copied = await openAs(
      browser,
      owner,
      page.url().replace(addressOf(''), '').replace(/\?.*/, '?outcome=refused'),
    );
    await copied.locator('.panel').getByText('UTILITY').waitFor();
    await copied.context().close();
    await page.getByRole('button', { name: 'Show all changes to this target' }).click();
    await page.waitForURL(/target=/);
    await go('/audit?within=24h');
    await list.first().waitFor();
    expect(await page.getByLabel('Time').inputValue()).toBe('24h');
    await go('/audit?within=none-such');
    await list.first().waitFor();
    expect(await page.getByLabel('Time').inputValue()).toBe('');
  });
});
