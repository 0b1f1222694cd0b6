import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { freshPhone, receivedUpstream, writeIn } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';

const HTML = '<b onmouseover=alert(1)>Päckchen</b>';
const WIDTHS = [390, 1_024, 1_440];
const SCROLLS_SIDEWAYS = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

describe('search', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  let offer: string;
  let jobId: string;
  const phone = freshPhone();

  const palette = () => page.getByRole('dialog', { name: 'Search or jump to' });
  const field = () => palette().getByRole('combobox');
  const options = () => palette().getByRole('option');
  const section = (name: string) => page.getByRole('region', { name, exact: true });
  const box = () => page.getByLabel('Search everything');
  const message = () => page.getByLabel('Message to José Ärger');

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Find')]);
    const [agent, template] = await Promise.all([
      newUser(account.accountId, 'agent'),
      createTemplate(
        [{ type: 'BODY', text: 'Dear {{1}}, this is your spring offer.', example: { body_text: [['Asha']] } }],
        {
          prefix: 'spring_offer',
        },
      ),
    ]);
    offer = template.name;
    await writeIn(phone, 'Wo ist mein Päckchen?', { name: 'José Ärger', to: account.phoneNumber });
    await eventually(async () => expect((await account.api.listMessages({ phone })).messages).toHaveLength(1));
    await account.api.sendMessage({
      to: phone,
      type: 'text',
      text: { body: 'At your door.' },
      clientRef: 'order-7781',
    });
    await writeIn(phone, HTML, { name: 'José Ärger', to: account.phoneNumber });
    await approved(account, [offer]);
    const recipients = [freshPhone(), freshPhone()];
    const hello = { name: 'hello_world', language: { code: 'en_US' } };
    ({ jobId } = await account.api.sendBulk({ recipients, type: 'template', template: hello, hold: true }));
    page = await openAs(browser, agent, '/jobs');
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  /** Opens a result of the palette by keyboard. */
  async function choose(typed: string, result: string | RegExp): Promise<void> {
    await page.keyboard.press('Control+k');
    await field().fill(typed);
    const wanted = options().filter({ hasText: result });
    await wanted.waitFor();
    const texts = await options().allTextContents();
    const at = texts.findIndex((text) => (typeof result === 'string' ? text.includes(result) : result.test(text)));
    for (let step = 0; step < at; step += 1) await page.keyboard.press('ArrowDown');
    await eventually(async () => expect(await wanted.getAttribute('aria-selected')).toBe('true'));
    await page.keyboard.press('Enter');
  }

  it('opens contacts, messages, templates, jobs and keys by keyboard', async () => {
    for (const typed of ['jose arg', phone.slice(2)]) {
      await page.goto(addressOf('/jobs'));
      await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
      await choose(typed, 'José Ärger');
      await page.waitForURL(new RegExp(`/conversations/${phone}$`));
    }
    await choose('order-7781', /^José Ärger.*Sent/);
    await page.waitForURL(/\/messages\/msg_/);
    await choose('Spring offer', /en_US/);
    await page.waitForURL(/\/templates\/\d+$/);
    await choose('hello world', '2 recipients');
    await page.waitForURL(new RegExp(`/jobs/${jobId}$`));
    await choose('TEST', /sb_/);
    await page.waitForURL(/\/keys\/key_/);
    await choose(jobId, '2 recipients');
    await page.waitForURL(new RegExp(`/jobs/${jobId}$`));
  });

  it('still jumps to pages by a part of their name', async () => {
    await page.keyboard.press('Control+k');
    await field().fill('saved');
    await options().filter({ hasText: 'Saved replies' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/saved-replies$/);
  });

  it('has a page that also finds message texts', async () => {
    await page.keyboard.press('Control+k');
    await field().fill('mein packchen');
    await options().filter({ hasText: 'Search for' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?q=mein\+packchen&texts=true$/);
    const found = section('Message texts').getByRole('row').filter({ hasText: 'Wo ist mein Päckchen?' });
    await found.waitFor();
    await page.reload();
    await found.waitFor();
    expect(await box().inputValue()).toBe('mein packchen');
    await found.getByRole('link').press('Enter');
    await page.locator('.bubble.is-found', { hasText: 'Wo ist mein Päckchen?' }).waitFor();
    await page.goBack();
    await box().fill('argér');
    await section('Contacts').getByRole('link', { name: 'José Ärger' }).waitFor();
    await box().fill('no such text anywhere');
    await page.getByText('No contact, template, job, API key, message ID or reference matches.').waitFor();
    await page.getByRole('button', { name: 'Search message texts' }).waitFor();
    expect(await page.getByText('No matching messages').count()).toBe(0);
    await box().press('Enter');
    await page.getByText('No matching messages').waitFor();
  });

  it('finds nothing of another account', async () => {
    const other = await newAccount('Find other');
    const stranger = await openAs(browser, await newUser(other.accountId), '/search?q=packchen&texts=true');
    await stranger.getByText('No matching messages').waitFor();
    await stranger.getByLabel('Search everything').fill('Ärger');
    await stranger.getByText('No contact, template, job').waitFor();
    await stranger.goto(addressOf(`/search?q=${jobId}`));
    await stranger.getByText('No contact, template, job').waitFor();
    expect(stranger.problems).toEqual([]);
    await stranger.context().close();
  });

  it('keeps text as text, and is accessible at any width', async () => {
    await page.goto(addressOf('/search?q=packchen&texts=true'));
    await section('Message texts').getByText(HTML).waitFor();
    expect(await layoutViolations(page)).toEqual([]);
    await page.keyboard.press('Control+k');
    await field().fill('jose');
    await options().filter({ hasText: 'José Ärger' }).waitFor();
    expect(await layoutViolations(page)).toEqual([]);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await page.evaluate<boolean>(SCROLLS_SIDEWAYS)]).toEqual([width, false]);
    }
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
  });

  it('copies IDs and sends a text again after a confirmation', async () => {
    await choose('order-7781', /^José Ärger.*Sent/);
    await page.getByRole('button', { name: 'Copy ID', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.getByRole('button', { name: 'Copy text' }).waitFor();
    await page.getByRole('button', { name: 'Send again' }).press('Enter');
    await eventually(async () => expect(await message().inputValue()).toBe('At your door.'));
    await eventually(() => expect(page.url()).toBe(addressOf(`/conversations/${phone}`)));
    await message().and(page.locator(':focus')).waitFor();
    expect(await receivedUpstream(phone)).toHaveLength(1);
    await message().press('Enter');
    await eventually(async () =>
      expect((await receivedUpstream(phone)).map(({ body }) => body['text'])).toEqual([
        { body: 'At your door.' },
        { body: 'At your door.' },
      ]),
    );
  });

  it('sends a template again with its values', async () => {
    const { id } = await account.api.sendMessage({
      to: phone,
      type: 'template',
      template: { name: offer, language: { code: 'en_US' }, variables: { '1': 'José' } },
    });
    await page.goto(addressOf(`/messages/${id}`));
    await page.getByRole('button', { name: 'Send again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send template' });
    await dialog.getByText('Dear José, this is your spring offer.').waitFor();
    await dialog.getByRole('button', { name: 'Send template' }).click();
    await dialog.waitFor({ state: 'detached' });
    const sent = (await receivedUpstream(phone)).map(({ body }) => body['template']);
    expect(sent.slice(0, 2)).toEqual([sent[0], sent[0]]);
    expect(JSON.stringify(sent[0])).toContain('José');
  });

  it('suggests no other template in place of one that is missing', async () => {
    const gone = await account.api.sendMessage({
      to: phone,
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    });
    await page.route('**/console/v1/templates?*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { templates: { name: string }[] };
      await route.fulfill({
        response,
        json: { ...body, templates: body.templates.map((each) => ({ ...each, name: `${each.name}_2` })) },
      });
    });
    await page.goto(addressOf(`/conversations/${phone}?again=${gone.id}`));
    const dialog = page.getByRole('dialog', { name: 'Send template' });
    await dialog.getByText('is no longer approved').waitFor();
    await dialog.getByText(`from ${account.phoneNumber}`).waitFor();
    expect(await dialog.getByTestId('preview').count()).toBe(0);
    expect(await dialog.getByLabel('Template', { exact: true }).inputValue()).toBe('');
    await page.unroute('**/console/v1/templates?*');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await eventually(() => expect(page.url()).toBe(addressOf(`/conversations/${phone}`)));
  });

  it('keeps a draft, and a message to send again in its own conversation', async () => {
    const other = freshPhone();
    await writeIn(other, 'Hello', { name: 'Other Person', to: account.phoneNumber });
    await eventually(async () => expect((await account.api.listMessages({ phone: other })).messages).toHaveLength(1));
    const { messages } = await account.api.listMessages({ clientRef: 'order-7781' });
    const again = messages[0]?.id ?? '';
    await page.goto(addressOf(`/conversations/${other}?again=${again}`));
    await eventually(() => expect(page.url()).toBe(addressOf(`/conversations/${other}`)));
    expect(await page.getByLabel('Message to Other Person').inputValue()).toBe('');
    await page.goto(addressOf(`/conversations/${phone}`));
    await message().fill('My own words');
    await page.goto(addressOf(`/conversations/${phone}?again=${again}`));
    await page.getByText('Your draft was kept').waitFor();
    expect(await message().inputValue()).toBe('My own words');
    await message().fill('');
    await account.api.blockPerson({ phone });
    await page.goto(addressOf(`/conversations/${phone}?again=${again}`));
    await eventually(() => expect(page.url()).toBe(addressOf(`/conversations/${phone}`)));
    await account.api.unblockPerson({ phone });
  });
});
