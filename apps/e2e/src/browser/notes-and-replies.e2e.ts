import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { done } from '../support/installation';
import { freshPhone, receivedUpstream, writeIn } from '../support/simulator';

const WIDTHS = [390, 1_024, 1_440];
const SCROLLS_SIDEWAYS = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

describe('notes in conversations', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  let colleague: WatchedPage;
  const phone = freshPhone();

  const thread = (on = page) => on.getByRole('log', { name: 'Messages' });
  const note = (text: string, on = page) => thread(on).locator('.bubble.aside', { hasText: text });
  const button = (name: string | RegExp, on = page) => on.getByRole('button', { name, exact: true });
  const area = (on = page) => on.getByLabel('Note about Asha Rao');

  const modeButton = (name: string) => page.getByRole('group', { name: 'Write' }).getByRole('button', { name });

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Notes')]);
    const [agent, other] = [
      await newUser(account.accountId, 'agent', 'Mira Sen'),
      await newUser(account.accountId, 'agent', 'Bo Li'),
    ];
    await writeIn(phone, 'Where is my parcel?', { name: 'Asha Rao', to: account.phoneNumber });
    await eventually(async () => expect((await account.api.listMessages({ phone })).messages).toHaveLength(1));
    [page, colleague] = [
      await openAs(browser, agent, `/conversations/${phone}`),
      await openAs(browser, other, `/conversations/${phone}`),
    ];
    for (const on of [page, colleague]) await thread(on).locator('.bubble', { hasText: 'Where is' }).waitFor();
  }, 300_000);
  afterEach(() => expect([page, colleague].flatMap(({ problems }) => problems.splice(0))).toEqual([]));
  afterAll(() => browser.close());

  it('leave no sent reply in the composer when written meanwhile', async () => {
    const sends = '**/console/v1/messages/send';
    const held = new Promise<() => void>((go) => {
      void page.route(sends, async (route) => {
        await new Promise<void>((release) => go(release));
        await route.continue();
      });
    });
    await page.getByLabel('Message to Asha Rao').fill('On its way');
    await page.getByLabel('Message to Asha Rao').press('Enter');
    const release = await held;
    await modeButton('Note').click();
    await area().fill('Calls back');
    release();
    await thread(page).locator('.bubble.out', { hasText: 'On its way' }).waitFor();
    await page.unroute(sends);
    await area().fill('');
    await modeButton('Reply').click();
    expect(await page.getByLabel('Message to Asha Rao').inputValue()).toBe('');
  });

  it('appear for a colleague and are never sent', async () => {
    await page.getByLabel('Message to Asha Rao').fill('An unfinished reply');
    const mode = modeButton('Note');
    await mode.press('Enter');
    expect(await mode.getAttribute('aria-pressed')).toBe('true');
    expect(await button('Add note').getAttribute('aria-disabled')).toBe('true');
    await area().fill('Prefers calls\nafter 18:00');
    await area().press('Enter');
    await note('Prefers calls', colleague).waitFor({ timeout: 5_000 });
    expect(await note('Prefers calls', colleague).textContent()).toMatch(/^NoteMira SenPrefers calls/);
    expect(await note('Prefers calls').textContent()).toMatch(/^NoteYou/);
    expect(await area().inputValue()).toBe('');
    await modeButton('Reply').click();
    expect(await page.getByLabel('Message to Asha Rao').inputValue()).toBe('An unfinished reply');
    await page.getByLabel('Message to Asha Rao').press('Enter');
    await thread(colleague).locator('.bubble.out', { hasText: 'An unfinished reply' }).waitFor();
    const sent = await receivedUpstream(phone);
    expect(sent.map(({ body }) => body['text'])).toEqual([{ body: 'An unfinished reply' }, { body: 'On its way' }]);
    expect(JSON.stringify(await account.api.listConversationMessages({ phone }))).not.toContain('Prefers');
    const order = await thread(colleague).locator('.bubble').allTextContents();
    expect(order.map((text) => /Where|Prefers|unfinished/.exec(text)?.[0])).toEqual([
      'Where',
      undefined,
      'Prefers',
      'unfinished',
    ]);
  });

  it('are deleted by their author but not by another agent', async () => {
    const remove = (on: WatchedPage) => button(/^Delete note: Prefers/, on);
    expect(await remove(colleague).getAttribute('aria-disabled')).toBe('true');
    await remove(page).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await note('Prefers calls', colleague).waitFor({ state: 'detached' });
    expect(await note('Prefers calls').count()).toBe(0);
  });

  it('are possible for a contact who has opted out or never wrote', async () => {
    const silent = freshPhone();
    const template = await account.api.sendMessage({
      to: silent,
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    });
    expect(template.status).toBe('accepted');
    await done('contacts', 'set', '--account', account.accountId, '--phone', phone, '--blocked', 'yes');
    for (const person of [phone, silent]) {
      await page.goto(addressOf(`/conversations/${person}`));
      await page.getByRole('group', { name: 'Write' }).getByRole('button', { name: 'Note' }).click();
      const field = page.getByLabel(/^Note about /);
      await field.fill('Call them instead');
      await button('Add note').click();
      await note('Call them instead').waitFor();
    }
  });

  it('stay text, and are accessible at any width', async () => {
    await page.goto(addressOf(`/conversations/${phone}`));
    await area().fill('<img src=x onerror=alert(1)> &amp; 🙂 ملاحظة');
    await area().press('Enter');
    await note('<img src=x onerror=alert(1)> &amp;').waitFor();
    expect(await layoutViolations(page)).toEqual([]);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await page.evaluate<boolean>(SCROLLS_SIDEWAYS)]).toEqual([width, false]);
      expect(await button('Add note').isVisible()).toBe(true);
    }
  });

  it('are erased with the contact', async () => {
    const owner = await openAs(browser, await newUser(account.accountId, 'owner', 'Olga'), '/contacts');
    await owner.getByRole('link', { name: 'Asha Rao' }).click();
    await button('Erase contact', owner).click();
    await button('Continue', owner).click();
    await owner.getByLabel(`Type ${phone} to confirm`).fill(phone);
    await owner.getByRole('dialog').getByRole('button', { name: 'Erase contact' }).click();
    await owner.getByText(/Contact erased, with \d+ messages/).waitFor();
    await writeIn(phone, 'Hello again', { name: 'Asha Rao', to: account.phoneNumber });
    await thread(colleague).locator('.bubble', { hasText: 'Hello again' }).waitFor();
    await colleague.goto(addressOf(`/conversations/${phone}`));
    await thread(colleague).locator('.bubble', { hasText: 'Hello again' }).waitFor();
    expect(await thread(colleague).locator('.bubble').count()).toBe(1);
    await owner.context().close();
  });
});

describe('saved replies', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  const [named, nameless] = [freshPhone(), freshPhone()];

  const option = (name: string) => page.getByRole('option', { name });
  const area = () => page.getByLabel(/^Message to /);

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Replies')]);
    await writeIn(named, 'Where is my parcel?', { name: 'Asha Rao', to: account.phoneNumber });
    await writeIn(nameless, 'Hello?', { name: ' ', to: account.phoneNumber });
    for (const phone of [named, nameless])
      await eventually(async () => expect((await account.api.listMessages({ phone })).messages).toHaveLength(1));
    page = await openAs(browser, await newUser(account.accountId, 'admin', 'Mira Sen'), '/saved-replies');
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  it('are created, edited and deleted on their page', async () => {
    await page.getByText('No saved replies').waitFor();
    const dialog = page.getByRole('dialog');
    for (const [name, text] of [
      ['delivery', 'Hello {{name}}, your parcel arrives tomorrow.\n{{agent}}'],
      ['delay', 'We are sorry'],
      ['refund', 'Done'],
    ] as const) {
      await page.getByRole('button', { name: 'New saved reply' }).click();
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByLabel('Text').fill(text);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('row', { name: `/${name}` }).waitFor();
    }
    await page.getByRole('button', { name: 'Edit delay' }).click();
    await dialog.getByLabel('Name').fill('DELIVERY');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/must be unique/).waitFor();
    await dialog.getByLabel('Name').fill('late');
    await dialog.getByLabel('Text').fill('Hi {{customer}}');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/unknown variable/).waitFor();
    await dialog.getByLabel('Text').fill('We are sorry, {{name}}');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: '/late' }).waitFor();
    await page.getByRole('button', { name: 'Delete refund' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('row', { name: '/refund' }).waitFor({ state: 'detached' });
    expect(await layoutViolations(page)).toEqual([]);
  });

  it('have buttons for the variables, and a warning of mistyped ones', async () => {
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New saved reply' }).click();
    const text = dialog.getByLabel('Text');
    await text.fill('Sorry, {name}.');
    await dialog.getByText('“{name}” is not a variable. The contact would see it as it is written.').waitFor();
    await text.fill('Sorry, ');
    await dialog.getByRole('button', { name: 'Contact name' }).press('Enter');
    await page.keyboard.type('!');
    expect(await text.inputValue()).toBe('Sorry, {{name}}!');
    expect(await dialog.getByText('is not a variable').count()).toBe(0);
    expect(await layoutViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.goto(addressOf(`/conversations/${named}`));
    await area().fill('Sorry, {{customer}}');
    await page.getByText('The contact will see “{{customer}}” as it is written here.').waitFor();
    await area().fill('');
  });

  it('are inserted and sent by the keyboard alone', async () => {
    await page.goto(addressOf(`/conversations/${named}`));
    await area().focus();
    await page.keyboard.type('/');
    await option('/delivery').waitFor();
    expect(await option('/delivery').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowDown');
    expect(await option('/late').getAttribute('aria-selected')).toBe('true');
    expect(await area().getAttribute('aria-activedescendant')).toBe(await option('/late').getAttribute('id'));
    expect(await layoutViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('listbox', { name: 'Saved replies' }).count()).toBe(0);
    expect(await area().inputValue()).toBe('/');
    await page.keyboard.type('DEL');
    await option('/delivery').waitFor();
    expect(await page.getByRole('listbox', { name: 'Saved replies' }).getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    expect(await area().inputValue()).toBe('Hello Asha Rao, your parcel arrives tomorrow.\nMira Sen');
    await page.keyboard.press('Enter');
    await page.locator('.bubble.out', { hasText: 'Hello Asha Rao' }).waitFor();
    expect((await receivedUpstream(named)).map(({ body }) => body['text'])).toEqual([
      { body: 'Hello Asha Rao, your parcel arrives tomorrow.\nMira Sen' },
    ]);
  });

  it('are chosen by mouse, and omit the name of a contact without one', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(addressOf(`/conversations/${nameless}`));
    await area().fill('Hello.');
    await page.getByRole('button', { name: 'Insert saved reply' }).click();
    await option('/late').click();
    expect(await area().inputValue()).toBe('Hello. We are sorry,');
    await area().fill('/unknown');
    await page.getByText('No saved reply matches.').waitFor();
    await area().press('Enter');
    expect(await area().inputValue()).toBe('/unknown');
    expect(await receivedUpstream(nameless)).toEqual([]);
    expect(await page.evaluate<boolean>(SCROLLS_SIDEWAYS)).toBe(false);
    await area().fill('');
    await page.setViewportSize({ width: 1_440, height: 900 });
  });

  it('are read-only for agents', async () => {
    const agent = await openAs(browser, await newUser(account.accountId, 'agent'), '/saved-replies');
    await agent.getByRole('row', { name: '/late' }).waitFor();
    for (const name of ['New saved reply', 'Edit late', 'Delete late'])
      expect(await agent.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true');
    expect(agent.problems).toEqual([]);
    await agent.context().close();
  });
});
