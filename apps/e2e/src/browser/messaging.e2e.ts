import { eventually } from '@switchboard/testing';
import type { Browser, Page } from 'playwright-core';
import { addNumber, newAccount, newBareAccount, type TestAccount, newUser } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type Visitor } from '../support/browser';
import { freshPhone, receivedUpstream, writeIn, writeInAny } from '../support/simulator';
import { approved } from '../support/templates';

/** The simulator fails messages to these numbers: as undeliverable, and because of a payment issue. */
const [UNDELIVERABLE, UNPAID] = ['15005550126', '15005550142'];
const HEBREW = 'שלום, מתי תגיעו?';
// Page scripts are strings: these files have no DOM types.
const DIRECTION_OF_LAST = `getComputedStyle([...document.querySelectorAll('.bubble .body')].at(-1)).direction`;
const WIDTH_OF_IMAGE = `document.querySelector('.thread img').naturalWidth`;
const CUT_IN_HEAD = `[...document.querySelectorAll('.convo-thread .convo-head .cut')].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent)`;
const A_DAY_AND_AN_HOUR_MS = 25 * 3_600_000;

describe('message, conversation and contact pages', () => {
  let browser: Browser;
  let account: TestAccount;
  let owner: Visitor;
  let page: Page & { problems: string[] };
  const phone = freshPhone();

  const go = (path: string, on: Page = page) => on.goto(addressOf(path));
  const customerWrites = (text: string, from = phone, name = 'Asha R') =>
    writeIn(from, text, { name, to: account.phoneNumber });
  const arrived = (from: string, text: string) =>
    eventually(async () =>
      expect(JSON.stringify((await account.api.listMessages({ phone: from })).messages)).toContain(text),
    );
  const thread = (on: Page = page) => on.getByRole('log', { name: 'Messages' });
  const composer = (on: Page = page) => on.getByLabel(/^Message to /);

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Messaging')]);
    [owner] = await Promise.all([
      newUser(account.accountId),
      customerWrites('Hello, is it in stock?'),
      approved(account, ['order_update', 'hello_world']),
    ]);
    await arrived(phone, 'in stock');
    page = await openAs(browser, owner);
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  it('show inbound messages live, in their own text direction', async () => {
    await go('/conversations');
    await page.getByRole('link', { name: /Asha R/ }).click();
    await thread().getByText('Hello, is it in stock?').waitFor();
    await page.getByText(/Window closes in/).waitFor();
    await customerWrites(HEBREW);
    await thread().getByText(HEBREW).waitFor();
    expect(await page.evaluate(DIRECTION_OF_LAST)).toBe('rtl');
  });

  it('send a reply once on Enter and show its status', async () => {
    await composer().fill('It is. Shall we send it?');
    await composer().press('Enter');
    const bubble = thread().locator('.bubble.out', { hasText: 'It is. Shall we send it?' });
    await bubble.getByText('read', { exact: true }).waitFor({ state: 'attached' });
    expect(await composer().inputValue()).toBe('');
    expect(await receivedUpstream(phone)).toHaveLength(1);
    await page.locator('.convo-side').getByRole('link', { name: 'Read' }).waitFor();
  });

  it('send a file with a caption', async () => {
    const file = { name: 'shelf.png', mimeType: 'image/png', buffer: await page.screenshot() };
    await page.getByLabel('File to send').setInputFiles(file);
    await page.locator('.composer-file').getByText('shelf.png').waitFor();
    await composer().fill('The blue one');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await thread().locator('.bubble.out', { hasText: 'The blue one' }).waitFor();
    await writeInAny({
      from: phone,
      to: account.phoneNumber,
      name: 'Asha R',
      type: 'image',
      image: { caption: 'My shelf' },
    });
    await thread().locator('.bubble', { hasText: 'My shelf' }).getByRole('img').waitFor();
    await eventually(async () => expect(await page.evaluate(WIDTH_OF_IMAGE)).toBeGreaterThan(0));
  });

  it('offer only templates after the service window closes', async () => {
    const later = await openAs(browser, owner, `/conversations/${phone}`);
    await composer(later).waitFor();
    await later.clock.setFixedTime(Date.now() + A_DAY_AND_AN_HOUR_MS);
    await later.getByText('You can send only approved templates.').waitFor();
    expect(await composer(later).count()).toBe(0);
    await later.getByRole('button', { name: 'Choose template' }).click();
    await later.getByLabel('Template', { exact: true }).selectOption({ label: 'order_update (en_US)' });
    const send = later.getByRole('button', { name: 'Send template' });
    expect(await send.getAttribute('aria-disabled')).toBe('true');
    const values = later.getByLabel(/^(\{\{\d+\}\} in the|URL suffix of)/);
    for (let index = 0; index < (await values.count()); index += 1) await values.nth(index).fill(`A-17 ${index}`);
    await send.click();
    await later.getByText('Message accepted by the platform.').waitFor();
    await thread(later).locator('.bubble.out', { hasText: 'A-17 0' }).waitFor();
    expect(later.problems).toEqual([]);
    await later.context().close();
  });

  it('start a conversation with a template', async () => {
    const stranger = freshPhone();
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('textbox', { name: 'Phone' }).fill(`+${stranger}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('You have not exchanged messages with this contact.').waitFor();
    await page.getByRole('button', { name: 'Choose template' }).click();
    await page.getByLabel('Template', { exact: true }).selectOption({ label: 'hello_world (en_US)' });
    await page.getByRole('button', { name: 'Send template' }).click();
    await thread().locator('.bubble.out').waitFor();
    await page.getByText('the contact has not written yet').waitFor();
  });

  it('explain a failed message within three clicks', async () => {
    await account.api.sendMessage({
      to: UNDELIVERABLE,
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    });
    await eventually(async () =>
      expect((await account.api.listMessages({ status: 'failed' })).messages.length).toBe(1),
    );
    await go('');
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    await page.getByLabel('Status').selectOption('failed');
    await page.getByRole('cell', { name: /Message undeliverable/ }).waitFor();
    await page.getByRole('link', { name: UNDELIVERABLE }).click();
    const panel = page.getByRole('complementary', { name: 'Sent message' });
    await panel.getByText(/The platform cannot reach the number/).waitFor();
    await panel.getByText(/^[A-Z_]+ · 131026 · final$/).waitFor();
    expect(await panel.locator('.timeline li').allTextContents()).toEqual([
      expect.stringContaining('Accepted'),
      expect.stringContaining('Failed'),
    ]);
    await panel.getByRole('link', { name: 'message_status: failed' }).click();
    await page.waitForURL(/webhook-log\/evt_/);
  });

  it('keep filters across reloads, the back button and copied links', async () => {
    await go('/messages');
    await page.getByLabel('Direction').selectOption('inbound');
    await page.getByLabel('Search by phone, ID or reference').fill(`+${phone}`);
    await page.waitForURL(new RegExp(`phone=${phone}`));
    const rows = page.getByRole('table', { name: 'Messages' }).getByRole('row');
    await eventually(async () => expect(await rows.count()).toBe(4));
    await page.reload();
    expect(await page.getByLabel('Direction').inputValue()).toBe('inbound');
    expect(await page.getByLabel('Search by phone, ID or reference').inputValue()).toBe(phone);
    const copied = await openAs(browser, owner, page.url().replace(addressOf(''), ''));
    await eventually(async () =>
      expect(await copied.getByRole('table', { name: 'Messages' }).getByRole('row').count()).toBe(4),
    );
    await go('/conversations', copied);
    const box = copied.getByLabel('Search conversations');
    await box.pressSequentially('Asha ');
    await copied.waitForURL(/search=Asha$/);
    await box.pressSequentially('R');
    await copied.waitForURL(/search=Asha(\+|%20)R$/);
    expect(await box.inputValue()).toBe('Asha R');
    await copied.context().close();
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByLabel('Search contacts').fill('asha');
    await page.waitForURL(/search=asha/);
    // Typed text replaces the history entry.
    await page.goBack();
    await page.waitForURL(new RegExp(`phone=${phone}`));
    expect(await page.getByLabel('Direction').inputValue()).toBe('inbound');
  });

  it('export the filtered messages', async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByText('3 messages match the current filters.').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('messages.csv');
  });

  it('keep a draft when switching conversations and after the window closes', async () => {
    const other = freshPhone();
    await customerWrites('Are you open?', other, 'Binu K');
    await arrived(other, 'Are you open?');
    const writing = await openAs(browser, owner, `/conversations/${phone}`);
    await composer(writing).fill('Half a reply');
    await writing.getByRole('link', { name: /Binu K/ }).click();
    await writing.getByLabel('Message to Binu K').waitFor();
    expect(await composer(writing).inputValue()).toBe('');
    await writing.getByRole('link', { name: /Asha R/ }).click();
    await writing.getByLabel('Message to Asha R').waitFor();
    expect(await composer(writing).inputValue()).toBe('Half a reply');
    await writing.clock.setFixedTime(Date.now() + A_DAY_AND_AN_HOUR_MS);
    await writing.getByText('Your draft is kept.').waitFor();
    await writing.clock.setFixedTime(Date.now());
    await composer(writing).waitFor();
    expect(await composer(writing).inputValue()).toBe('Half a reply');
    await composer(writing).press('Enter');
    await thread(writing).locator('.bubble.out', { hasText: 'Half a reply' }).waitFor();
    await eventually(async () => expect(await composer(writing).inputValue()).toBe(''));
    expect(writing.problems).toEqual([]);
    await writing.context().close();
  });

  it('retry loading older messages on demand', async () => {
    const customer = freshPhone();
    await customerWrites('The very first', customer, 'Chitra');
    await arrived(customer, 'The very first');
    await Promise.all(Array.from({ length: 50 }, (_, index) => customerWrites(`Number ${index}`, customer, 'Chitra')));
    await eventually(async () =>
      expect((await account.api.listMessages({ phone: customer, limit: 100 })).messages.length).toBe(51),
    );
    await go(`/conversations/${customer}`);
    const older = '**/console/v1/conversations/*/messages?*cursor=*';
    await page.route(older, (route) => route.abort());
    await page.getByRole('button', { name: 'Load older messages' }).click();
    await thread().getByText('The server does not respond.').waitFor();
    await page.unroute(older);
    await thread().getByRole('button', { name: 'Try again' }).click();
    await thread().getByText('The very first').waitFor();
    // The browser's own errors about failed requests.
    expect(page.problems.splice(0).filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
  });

  it('explain a failure, and resend the message once where it may help', async () => {
    await go(`/conversations/${UNDELIVERABLE}`);
    await thread()
      .getByText(/^Message undeliverable\..* The platform cannot reach the number/)
      .waitFor();
    expect(await thread().getByRole('button', { name: 'Send again' }).count()).toBe(0);
    const hello = { name: 'hello_world', language: { code: 'en_US' } };
    await account.api.sendMessage({ to: UNPAID, type: 'template', template: hello });
    await go(`/conversations/${UNPAID}`);
    await thread().getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Message accepted by the platform.').waitFor();
    const sent = thread().getByRole('button', { name: 'Sent again' });
    expect(await sent.getAttribute('aria-description')).toBe('You have already sent this message again.');
    await sent.click({ force: true });
    // The new message fails as well, and can be resent itself.
    await thread().getByRole('button', { name: 'Send again' }).waitFor();
    expect((await account.api.listMessages({ status: 'failed', phone: UNPAID })).messages).toHaveLength(2);
  });

  it('show a separate service window for each number', async () => {
    const { phoneNumber } = await addNumber(account.accountId);
    const customer = freshPhone();
    await customerWrites('To the first number', customer, 'Dev');
    await writeIn(customer, 'To the second number', { name: 'Dev', to: phoneNumber });
    await arrived(customer, 'To the second number');
    await go(`/conversations/${customer}`);
    const side = page.getByRole('complementary', { name: 'Contact' });
    for (const number of [account.phoneNumber, phoneNumber])
      await side.getByText(`${number}, open until tomorrow`).waitFor();
  });

  it('block a contact and unblock them from the list', async () => {
    const rude = freshPhone();
    await customerWrites('Rude words', rude, 'Rude Person');
    await arrived(rude, 'Rude words');
    await go(`/conversations/${rude}`);
    const side = page.getByRole('complementary', { name: 'Contact' });
    await side.getByRole('button', { name: 'Block', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(account.phoneNumber).waitFor();
    await dialog.getByRole('button', { name: 'Block', exact: true }).click();
    await page.locator('.convo-head').getByText('Blocked', { exact: true }).waitFor();
    await side.getByText(account.phoneNumber, { exact: true }).first().waitFor();
    const usual = page.viewportSize() ?? { width: 1280, height: 720 };
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: usual.height });
      expect([width, await page.evaluate<string[]>(CUT_IN_HEAD)]).toEqual([width, []]);
    }
    await page.setViewportSize(usual);
    await expect(customerWrites('More of it', rude)).rejects.toThrow('409');
    await go('/contacts');
    await page.getByRole('link', { name: 'Blocked contacts' }).click();
    await page.getByText('Contacts blocked outside Switchboard appear within an hour.').waitFor();
    const row = page.getByRole('row', { name: new RegExp(rude) });
    await row.getByRole('link', { name: 'Rude Person' }).waitFor();
    expect(await layoutViolations(page)).toEqual([]);
    await row.getByRole('button', { name: /^Unblock/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unblock', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    await customerWrites('I am sorry', rude, 'Rude Person');
    await arrived(rude, 'I am sorry');
  });

  it('rename a contact and opt them out', async () => {
    await go(`/conversations/${phone}`);
    await page.getByRole('link', { name: 'Open contact' }).first().click();
    const panel = page.locator('.panel');
    await panel.getByLabel('Display name').fill('Mrs Rao');
    await panel.getByRole('button', { name: 'Save name' }).click();
    await panel.getByRole('heading', { name: 'Mrs Rao' }).waitFor();
    await panel.getByRole('button', { name: 'Opt out' }).click();
    await page.getByRole('button', { name: 'Everything' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Opt out' }).click();
    await panel.getByText('Opted out of all messages').waitFor();
    await panel.getByText(/^Opted out since .+\. By .+\.$/).waitFor();
    await panel.getByRole('link', { name: 'Conversation' }).click();
    await page.getByPlaceholder(/Opt them in first/).waitFor();
    await page.getByRole('button', { name: 'Opt in' }).click();
    await page.getByText('Contact opted in.').waitFor();
    await customerWrites('Stop.');
    await go('/contacts?optedOut=true');
    await page.getByText(/^Wrote STOP, /).waitFor();
    await customerWrites('START');
  });

  it('are read-only for a viewer', async () => {
    const viewer = await openAs(browser, await newUser(account.accountId, 'viewer'), `/conversations/${phone}`);
    await thread(viewer).getByText(HEBREW).waitFor();
    const send = viewer.getByRole('button', { name: 'Send', exact: true });
    expect(await send.getAttribute('aria-description')).toBe('Requires the role agent. Your role is viewer.');
    expect(await composer(viewer).getAttribute('readonly')).not.toBeNull();
    await go(`/conversations/${UNPAID}`, viewer);
    const again = thread(viewer).getByRole('button', { name: 'Send again' }).first();
    await again.focus();
    await viewer.getByRole('tooltip').getByText('Requires the role agent. Your role is viewer.').waitFor();
    await go(`/conversations/${phone}`, viewer);
    await viewer.getByRole('link', { name: 'Open contact' }).first().click();
    for (const name of ['Save name', 'Opt out', 'Erase contact']) {
      const button = viewer.locator('.panel').getByRole('button', { name });
      expect([name, await button.getAttribute('aria-disabled')]).toEqual([name, 'true']);
    }
    expect(viewer.problems).toEqual([]);
    await viewer.context().close();
  });

  it('show "not found" to another account', async () => {
    const { messages } = await account.api.listMessages({ phone });
    const { contacts } = await account.api.listContacts({ search: phone });
    const stranger = await newBareAccount('Stranger');
    const other = await openAs(browser, await newUser(stranger.accountId));
    for (const path of [`/messages/${messages[0]?.id}`, `/contacts/${contacts[0]?.id}`]) {
      await go(path, other);
      await other.getByText('NOT_FOUND').first().waitFor();
    }
    await go(`/conversations/${phone}`, other);
    await other.getByRole('heading', { name: 'Conversation not found' }).waitFor();
    expect(await other.content()).not.toContain('Rao');
    expect(other.problems).toEqual([]);
    await other.context().close();
  });

  it('are usable by keyboard only', async () => {
    await go('');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('g', 'e');
    await page.getByRole('heading', { name: 'Messages', exact: true }).waitFor();
    await press('/');
    await page.keyboard.type(phone);
    await page.waitForURL(/phone=/);
    await page.getByRole('table', { name: 'Messages' }).getByRole('link').first().focus();
    await press('Enter');
    await page.locator('.panel').waitFor();
    await press('Escape');
    await page.waitForURL((url) => url.pathname.endsWith('/messages'));
    await press('g', 'b');
    await page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor();
    await press('g', 'c');
    await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();
    await page.getByRole('link', { name: /Mrs Rao/ }).focus();
    await press('Enter');
    await composer().focus();
    await page.keyboard.type('By keys');
    await press('Enter');
    await thread().locator('.bubble.out', { hasText: 'By keys' }).waitFor();
  });

  it('render both text directions in all sizes and themes', async () => {
    await go(`/conversations/${phone}`);
    await page.locator('.bubble.out').first().waitFor();
    expect(await layoutViolations(page)).toEqual([]);
  });

  it('show nothing of an erased contact', async () => {
    await go(`/messages?phone=${phone}`);
    await page.getByText(HEBREW).filter({ visible: true }).first().waitFor();
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('link', { name: 'Mrs Rao' }).click();
    await page.getByRole('button', { name: 'Erase contact' }).click();
    await page.getByRole('dialog').getByText('Webhook events').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    const erase = page.getByRole('dialog').getByRole('button', { name: 'Erase contact' });
    expect(await erase.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel(`Type ${phone} to confirm`).fill(phone);
    await erase.click();
    await page.getByText(/Contact erased, with \d+ messages/).waitFor();
    await page.waitForURL((url) => url.pathname.endsWith('/contacts'));
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    await page.getByRole('link', { name: UNPAID }).first().waitFor();
    for (const path of [
      undefined,
      `/messages?phone=${phone}`,
      '/contacts',
      '/conversations',
      `/conversations/${phone}`,
    ]) {
      if (path !== undefined) await go(path);
      await page.locator('.convo-items ul, .convo .empty h2, .page .count, .page .empty').first().waitFor();
      await page.waitForFunction(`document.querySelector('[aria-busy=true]') === null`);
      const shown = await page.content();
      for (const text of [HEBREW, 'Mrs Rao', 'Asha R', 'By keys', 'in stock'])
        expect([path, text, shown.includes(text)]).toEqual([path, text, false]);
    }
    await page.getByRole('heading', { name: 'Conversation not found' }).waitFor();
    expect((await account.api.listMessages({ phone })).messages).toEqual([]);
  });
});
