import { eventually } from '@switchboard/testing';
import type { Browser, Locator } from 'playwright-core';
import { addNumber, newAccount, type TestAccount } from '../support/account';
import { layoutViolations, openPage, startBrowser, type WatchedPage } from '../support/browser';
import { demo, done, upstreamToken } from '../support/installation';
import { control, freshPhone, setTemplateStatus, writeIn, writeInAny } from '../support/simulator';
import { KINDS, LINK } from '../support/template-kinds';
import { createTemplate } from '../support/templates';

/** Markup that would change the title if it ever ran. */
const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const TITLE = 'Switchboard simulator';
const REFUSED_FILE = /404/;

describe('simulator page', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Simulator page')]);
    page = await openPage(browser, `${demo.simulatorUrl}/`);
  }, 300_000);
  afterEach(async () => {
    expect(page.problems.splice(0).filter((problem) => !REFUSED_FILE.test(problem))).toEqual([]);
    expect(await page.title()).toBe(TITLE);
  });
  afterAll(() => browser.close());

  const section = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  const lines = (): Locator => page.locator('#thread > li');

  async function openChat(phone: string): Promise<void> {
    await section('Chats');
    await page.locator(`[data-key="chat-${phone}"]`).click();
    await page.getByRole('heading', { name: `Chat with +${phone}` }).waitFor();
  }

  it('links to the API reference', async () => {
    await eventually(async () =>
      expect(await page.getByRole('link', { name: 'API reference' }).getAttribute('href')).toMatch(/^http.*\/docs$/),
    );
  });

  it('formats text and escapes HTML', async () => {
    const from = freshPhone();
    await writeIn(from, `*bold* _it *and bold*_ ~gone~ \`\`\`a *b*\`\`\` 2*3*4 a_b_c\n${HOSTILE}*${HOSTILE}*`, {
      name: HOSTILE,
      to: account.phoneNumber,
    });
    await openChat(from);
    const text = lines().first().locator('.text');
    await text.waitFor();
    const found = async (tag: string) => text.locator(tag).allTextContents();
    expect(await found('strong')).toEqual(['bold', 'and bold', HOSTILE]);
    expect(await found('em')).toEqual(['it and bold']);
    expect(await found('s')).toEqual(['gone']);
    expect(await found('code')).toEqual(['a *b*']);
    expect(await text.textContent()).toBe(`bold it and bold gone a *b* 2*3*4 a_b_c\n${HOSTILE}${HOSTILE}`);
    expect(await text.locator('img, script').count()).toBe(0);
    expect(await page.locator(`[data-key="chat-${from}"]`).textContent()).toContain(HOSTILE);
  });

  it('shows files, locations and cards by type', async () => {
    const from = freshPhone();
    const write = (type: string, content: object) =>
      writeInAny({ from, to: account.phoneNumber, type, [type]: content });
    await write('image', { caption: 'My *receipt*' });
    await write('document', { filename: 'Form 7.pdf' });
    await write('audio', {});
    await write('video', {});
    await write('location', { latitude: 37.4422, longitude: -122.1616, name: 'Café', address: HOSTILE });
    await write('contacts', [{ name: { formatted_name: 'Bo Li' }, phones: [{ phone: '+15550003333' }] }]);
    await openChat(from);
    await eventually(async () => expect(await lines().count()).toBe(6));
    const width = "document.querySelector('#thread img')?.naturalWidth";
    await eventually(async () => expect(await page.evaluate<number>(width)).toBe(48));
    expect(await lines().nth(0).locator('strong').textContent()).toBe('receipt');
    const link = lines().nth(1).getByRole('link', { name: 'Form 7.pdf' });
    const file = await fetch(new URL((await link.getAttribute('href')) ?? '', demo.simulatorUrl));
    expect([file.status, file.headers.get('content-disposition')]).toEqual([200, 'attachment']);
    expect(await lines().nth(2).locator('audio').count()).toBe(1);
    expect(await lines().nth(3).locator('video').count()).toBe(1);
    expect(await lines().nth(4).textContent()).toContain(`LocationCafé${HOSTILE}37.4422, -122.1616`);
    expect(await lines().nth(5).textContent()).toContain('ContactBo Li+15550003333');
  });

  it('shows all parts of a template and sends a button reply', async () => {
    const { name } = await createTemplate([
      { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['A-1'] } },
      { type: 'BODY', text: 'Hello *{{1}}*, it is on its way.', example: { body_text: [['Ana']] } },
      { type: 'FOOTER', text: 'Demo shop' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Thanks' },
          { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}', example: ['https://example.com/A-1'] },
        ],
      },
    ]);
    await setTemplateStatus(name, { language: 'en_US', event: 'APPROVED' });
    const from = freshPhone();
    const value = (text: string) => ({ type: 'text', text });
    await sendUpstream(account.phoneNumberId, {
      messaging_product: 'whatsapp',
      to: `+${from}`,
      type: 'template',
      template: {
        name,
        language: { code: 'en_US' },
        components: [
          { type: 'header', parameters: [value('A-17')] },
          { type: 'body', parameters: [value(HOSTILE)] },
          { type: 'button', sub_type: 'url', index: '1', parameters: [value('A-17')] },
        ],
      },
    });
    await openChat(from);
    const sent = lines().first();
    await eventually(async () => expect(await sent.locator('.header').textContent()).toBe('Order A-17'));
    expect(await sent.locator('.text strong').textContent()).toBe(HOSTILE);
    expect(await sent.locator('.footer').textContent()).toBe('Demo shop');
    expect(await sent.getByRole('link', { name: 'Track' }).getAttribute('href')).toBe('https://example.com/A-17');
    await page.locator('#composer-number').selectOption(account.phoneNumber);
    await sent.getByRole('button', { name: 'Thanks' }).click();
    await eventually(async () => expect(await lines().count()).toBe(2));
    expect(await lines().nth(1).locator('blockquote').textContent()).toContain(name);
    await eventually(async () =>
      expect((await account.api.listMessages({ phone: from, direction: 'inbound' })).messages).toMatchObject([
        { type: 'button', button: { payload: 'Thanks', text: 'Thanks' } },
      ]),
    );
  });

  it.each([
    ['a carousel', ['Card 1', `image: ${LINK}.png`, 'Now only $1 for you.', 'Card 2'], ['More', 'Buy', 'More', 'Buy']],
    ['a carousel of products', ['Card 1', 'Product', 'SKU-1', 'Card 2', 'SKU-2'], []],
    ['a limited-time offer', ['Limited-time offer', 'Ends soon!', '2030', 'Copy code SAVE20'], ['Buy']],
    [
      'a text header, a numbered body out of order, and several buttons',
      ['Order A-17', 'On Monday the parcel of Asha comes', 'Call'],
      ['Not now', 'Thanks', 'Shop', 'Track'],
    ],
  ])('shows %s with all of its parts', async (kind, texts, pressable) => {
    const { components, options, wire } = KINDS[kind]!;
    const { name } = await createTemplate(components, options);
    await setTemplateStatus(name, { language: 'en_US', event: 'APPROVED' });
    const from = freshPhone();
    await sendUpstream(account.phoneNumberId, {
      messaging_product: 'whatsapp',
      to: `+${from}`,
      type: 'template',
      template: { name, language: { code: 'en_US' }, components: wire },
    });
    await openChat(from);
    const sent = lines().first();
    await eventually(async () => expect(await sent.textContent()).toMatch(inThisOrder(texts)));
    const actions = sent.locator('.row').locator('button, a');
    expect(await actions.allTextContents()).toEqual(pressable);
    expect(await layoutViolations(page)).toEqual([]);
  });

  it('requires a target for reactions, edits and deletions', async () => {
    const from = freshPhone();
    const messageId = await writeIn(from, 'Two boxes', { to: account.phoneNumber });
    await openChat(from);
    await page.locator('#composer-number').selectOption(account.phoneNumber);
    const write = async (kind: string): Promise<void> => {
      await page.locator('#kind').selectOption(kind);
      await page.getByRole('button', { name: 'Send as customer' }).click();
    };
    await write('reaction');
    await page.getByText('Failed: select a message first').waitFor();
    await lines().first().getByRole('button', { name: 'Reply to: Two boxes' }).click();
    await write('reaction');
    await eventually(async () =>
      expect((await account.api.listMessages({ phone: from, type: 'reaction' })).messages).toMatchObject([
        { reaction: { messageId, emoji: '👍' } },
      ]),
    );
    await page.locator('#kind').selectOption('text');
  });

  it('adds a number and rejects a duplicate', async () => {
    await section('Numbers');
    const open = page.getByRole('button', { name: 'New number' });
    await open.click();
    const form = page.getByRole('form', { name: 'New number' });
    const phone = `1555${String(Date.now()).slice(-7)}`;
    await form.getByLabel('Phone number').fill(`+${phone}`);
    await form.getByLabel('Name').fill('Second shop');
    const id = await form.getByLabel('ID', { exact: true }).inputValue();
    await form.getByRole('button', { name: 'Add number' }).click();
    await page.locator('#numbers li', { hasText: 'Second shop' }).filter({ hasText: id }).waitFor();
    expect(await form.isVisible()).toBe(false);
    const { numbers } = await control<{ numbers: { displayDigits: string }[] }>('GET', '/numbers');
    expect(numbers.map(({ displayDigits }) => displayDigits)).toContain(phone);
    await open.click();
    await form.getByLabel('Phone number').fill(phone);
    await form.getByRole('button', { name: 'Add number' }).click();
    await page.getByText('Failed: id or phoneNumber: taken').waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    expect(await open.getAttribute('aria-expanded')).toBe('false');
  });

  it('opens the service window of a magic number', async () => {
    const to = '15005550104';
    const send = () => account.api.sendMessage({ to, type: 'text', text: { body: 'Hello' } });
    await expect(send()).rejects.toMatchObject({ code: 'WINDOW_CLOSED' });
    await section('Magic numbers');
    await page.getByText('Templates can be sent at any time').waitFor();
    await page.locator('#magic-number').selectOption(account.phoneNumber);
    await page.getByRole('button', { name: `Open window for +${to}` }).click();
    await page.getByText(`+${to} sent a message`).waitFor();
    const { id } = await eventually(send);
    await eventually(async () =>
      expect((await account.api.getMessage({ id })).message).toMatchObject({
        status: 'failed',
        error: { code: 131026 },
        sentAt: expect.any(String),
      }),
    );
    expect(await layoutViolations(page)).toEqual([]);
  });

  it('verifies webhook requests with the entered secret', async () => {
    await section('Receiver');
    const form = page.getByRole('form', { name: 'Receiver' });
    // Text typed before the default loads would be mixed with it.
    await eventually(async () => expect(await form.getByLabel('Verify token').inputValue()).not.toBe(''));
    await form.getByLabel('Verify token').fill('page-token');
    await form.getByRole('button', { name: 'Save verify token' }).click();
    await page.getByText('Verify token saved.').waitFor();
    const path = `/receiver/${account.accountId}`;
    const url = (await form.getByLabel('Address').inputValue()).replace('/receiver', path);
    const set = (token: string) =>
      done('webhooks', 'set', '--account', account.accountId, '--url', url, '--verify-token', token);
    await expect(set('wrong')).rejects.toThrow('challenge');
    const secret = String((await set('page-token'))['secret']);
    const items = page.locator('#requests > li', { hasText: path });
    await items.filter({ hasText: 'Challenge rejected' }).waitFor();
    await items.filter({ hasText: 'Challenge accepted' }).waitFor();
    const messageId = await writeIn(freshPhone(), HOSTILE, { to: account.phoneNumber });
    const event = items.filter({ hasText: messageId });
    await eventually(async () => expect(await event.textContent()).toContain('No secret given'));
    await form.getByLabel('Signing secret').fill(`${secret}x`);
    await eventually(async () => expect(await event.textContent()).toContain('Signature invalid'));
    await form.getByLabel('Signing secret').fill(secret);
    await eventually(async () => expect(await event.textContent()).toContain('Signature valid'));
    await event.locator('summary').click();
    expect(JSON.parse((await event.getByLabel('Body').textContent()) ?? '')).toMatchObject({
      event: 'message',
      messageId,
      text: { body: HOSTILE },
    });
    expect(await event.getByLabel('Signatures').textContent()).toBe(
      'x-service-signature: validwebhook-signature: valid',
    );
    expect(await event.getByLabel('Headers').textContent()).toContain('x-service-attempt');
    expect(await event.locator('script, img').count()).toBe(0);
    // New requests do not close open details.
    await writeIn(freshPhone(), 'Second', { to: account.phoneNumber });
    await items.filter({ hasText: '"Second"' }).waitFor({ state: 'attached' });
    expect(await event.locator('pre').isVisible()).toBe(true);
    expect(await layoutViolations(page)).toEqual([]);
    await form.getByRole('button', { name: 'Clear list' }).click();
    await page.getByText('No requests yet.').waitFor();
  });

  it('sends to the business number of the open chat', async () => {
    const second = await addNumber(account.accountId);
    const [first, other] = [freshPhone(), freshPhone()];
    await writeIn(first, 'To the first number', { to: account.phoneNumber });
    await writeIn(other, 'To the second number', { to: second.phoneNumber });
    const to = page.locator('#composer-number');
    await openChat(other);
    await eventually(async () => expect(await to.inputValue()).toBe(second.phoneNumber));
    await openChat(first);
    expect(await to.inputValue()).toBe(account.phoneNumber);
    await page.reload();
    await openChat(other);
    await eventually(async () => expect(await to.inputValue()).toBe(second.phoneNumber));
    await page.getByRole('button', { name: 'Send as customer' }).click();
    await eventually(async () => expect(await lines().count()).toBe(2));
    expect(await to.inputValue()).toBe(second.phoneNumber);
  });

  it.each(['Chats', 'Numbers'])('renders in all sizes and themes: %s', async (name) => {
    await section(name);
    await page
      .getByRole('heading', { name, exact: name === 'Chats' })
      .first()
      .waitFor();
    expect(await layoutViolations(page)).toEqual([]);
  });
});

/** Matches text that contains these parts in order. */
const inThisOrder = (parts: string[]): RegExp =>
  new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*'), 's');

/** Sends through the Cloud API directly, so that the page shows nothing of the service. */
async function sendUpstream(phoneNumberId: string, body: object): Promise<void> {
  const answer = await fetch(`${demo.simulatorUrl}/v24.0/${phoneNumberId}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${upstreamToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the simulator answered ${answer.status}: ${await answer.text()}`);
}
