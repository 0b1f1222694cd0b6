import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, type TestAccount, newUser } from '../support/account';
import { layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { control, freshPhone, receivedUpstream, writeIn, writeInAny } from '../support/simulator';

const BUTTONS = {
  type: 'button' as const,
  header: { type: 'text' as const, text: 'Delivery' },
  body: { text: 'When shall we deliver?' },
  footer: { text: 'Acme Retail' },
  action: {
    buttons: ['Today', 'Tomorrow'].map((title) => ({ type: 'reply' as const, reply: { id: title, title } })),
  },
};
const LIST = {
  type: 'list' as const,
  body: { text: 'Which way?' },
  action: {
    button: 'Choose a way',
    sections: [{ rows: [{ id: 'express', title: 'Express', description: '1-2 days' }] }],
  },
};
const NARROW = 375;
const HOSTILE_URL = 'javascript:alert(1)';

describe('conversation thread with replies', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  const phone = freshPhone();

  const thread = (on = page) => on.getByRole('log', { name: 'Messages' });
  const bubble = (text: string, on = page) => thread(on).locator('.bubble', { hasText: text });
  const said = (text: string) => thread().locator('.said', { hasText: text });
  const customer = (type: string, content: unknown, more: object = {}) =>
    writeInAny({ from: phone, to: account.phoneNumber, name: 'Asha R', type, [type]: content, ...more });

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Answering')]);
    const [owner] = await Promise.all([
      newUser(account.accountId),
      writeIn(phone, 'Where is my parcel?', { name: 'Asha R', to: account.phoneNumber }),
    ]);
    page = await openAs(browser, owner, `/conversations/${phone}`);
    await bubble('Where is my parcel?').waitFor();
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  it("shows the customer's choice with a quote of the question", async () => {
    const asked = await account.api.sendMessage({ to: phone, type: 'interactive', interactive: BUTTONS });
    await account.api.sendMessage({ to: phone, type: 'interactive', interactive: LIST });
    for (const text of ['Delivery', 'Acme Retail', 'Today', 'Tomorrow'])
      await bubble('When shall we deliver?').first().getByText(text, { exact: true }).waitFor();
    await bubble('Which way?').getByText('Choose a way').click();
    await bubble('Which way?').getByText('1-2 days').waitFor();
    await control('POST', '/press', { messageId: asked.message_id, id: 'Tomorrow' });
    const answer = thread().locator('.bubble:not(.out)', { hasText: 'Tomorrow' });
    await answer.locator('.quoted', { hasText: 'When shall we deliver?' }).waitFor();
  });

  it('shows flows, products and requests with the replies', async () => {
    const body = { text: 'Book your visit' };
    const ask = (interactive: object) =>
      account.api.sendMessage({ to: phone, type: 'interactive', interactive: interactive as typeof BUTTONS });
    const parameters = { flowId: '11', flowCta: 'Book now', flowToken: 't1' };
    const flow = await ask({ type: 'flow', body, action: { name: 'flow', parameters } });
    await bubble('Book your visit').getByText('Book now').waitFor();
    const where = { text: 'Where are you?' };
    await ask({ type: 'location_request_message', body: where, action: { name: 'send_location' } });
    await bubble('Where are you?').getByText('Send location').waitFor();
    const calls = await ask({
      type: 'call_permission_request',
      body: { text: 'May we call?' },
      action: { name: 'call_permission_request' },
    });
    await bubble('May we call?').getByText('Allow calls').waitFor();
    await ask({ type: 'product', action: { catalogId: '1948', productRetailerId: 'SKU-17' } });
    await bubble('Product SKU-17').waitFor();
    const list = await ask({
      type: 'product_list',
      header: { type: 'text', text: 'New' },
      body: { text: 'Fresh today' },
      action: { catalogId: '1948', sections: [{ title: 'Fruit', productItems: [{ productRetailerId: 'SKU-18' }] }] },
    });
    await bubble('Fresh today').getByText('Products').click();
    await bubble('Fresh today').getByText('SKU-18').waitFor();
    const response = { size: 'M', note: '<img src=x onerror=alert(1)>', extras: ['a', 1] };
    await control('POST', '/press', { messageId: flow.message_id, id: 'flow', response });
    const form = thread().locator('.bubble:not(.out)', { hasText: 'flow_token' });
    for (const words of ['size M', 'note <img src=x onerror=alert(1)>', 'extras ["a",1]'])
      await form.getByText(words, { exact: true }).waitFor();
    await control('POST', '/press', { messageId: flow.message_id, id: 'flow', response: 'no JSON' });
    await thread().locator('.bubble:not(.out)', { hasText: 'no JSON' }).waitFor();
    await control('POST', '/press', { messageId: calls.message_id, id: 'call_permission_request', response: 'reject' });
    await thread().locator('.bubble:not(.out)', { hasText: 'Declined calls' }).waitFor();
    await control('POST', '/press', { messageId: list.message_id, id: 'SKU-18', quantity: 2 });
    await thread().locator('.bubble:not(.out)', { hasText: '2 × SKU-18 at 30 USD' }).waitFor();
    expect(await layoutViolations(page)).toEqual([]);
  });

  it('shows locations, contact cards and stickers without running scripts', async () => {
    await customer('location', { latitude: 37.4422, longitude: -122.1616, name: 'Café', address: '101 Forest Ave' });
    await customer('contacts', [
      { name: { formatted_name: 'Bo Li' }, phones: [{ phone: '+1 555 000 3333' }], urls: [{ url: HOSTILE_URL }] },
    ]);
    await customer('sticker', {});
    const map = bubble('101 Forest Ave').getByRole('link', { name: 'Open map' });
    expect(await map.getAttribute('href')).toContain('mlat=37.4422&mlon=-122.1616');
    expect(await map.getAttribute('rel')).toContain('noopener');
    await bubble('Bo Li').getByText('+1 555 000 3333').waitFor();
    await thread().locator('img.sticker').waitFor();
    expect(await thread().locator(`[href^="javascript"]`).count()).toBe(0);
  });

  it('sends a quoted reply by keyboard', async () => {
    await said('Where is my parcel?')
      .getByRole('button', { name: /^Reply to: Where is my parcel/ })
      .press('Enter');
    await page.locator('.composer-file', { hasText: 'Where is my parcel?' }).waitFor();
    await page.getByLabel(/^Message to /).fill('At your door');
    await page.getByLabel(/^Message to /).press('Enter');
    await bubble('At your door').locator('.quoted', { hasText: 'Where is my parcel?' }).waitFor();
    expect(await page.locator('.composer-file').count()).toBe(0);
    const sent = (await receivedUpstream(phone)).find(({ body }) => JSON.stringify(body).includes('At your door'));
    expect(sent?.body).toMatchObject({ context: { message_id: expect.stringMatching(/^wamid\./) as string } });
  });

  it('adds and removes a reaction to a message', async () => {
    const target = said('Where is my parcel?').first();
    const pick = async (emoji: string): Promise<void> => {
      await target.hover();
      await target.getByRole('button', { name: /^React to: / }).click();
      await target.getByRole('group', { name: 'Reactions' }).getByRole('button', { name: emoji }).click();
    };
    await pick('👍');
    await target.locator('.reactions', { hasText: '👍' }).waitFor();
    const own = (await account.api.listMessages({ phone, direction: 'outbound', type: 'text' })).messages.at(-1);
    await customer('reaction', { message_id: own?.message_id, emoji: '🎉' });
    await said('At your door').last().locator('.reactions', { hasText: '🎉' }).waitFor();
    await pick('👍');
    await target.locator('.reactions').waitFor({ state: 'detached' });
  });

  it('sends a read receipt only when an agent requests it', async () => {
    const readAtPhone = async () =>
      (await control<{ messages: { readAt?: string }[] }>('GET', `/conversations/${phone}`)).messages.filter(
        ({ readAt }) => readAt !== undefined,
      ).length;
    await writeIn(phone, 'Are you there?', { to: account.phoneNumber });
    await bubble('Are you there?').waitFor();
    expect(await readAtPhone()).toBe(0);
    const viewer = await openAs(browser, await newUser(account.accountId, 'viewer'), `/conversations/${phone}`);
    const refused = viewer.getByRole('button', { name: 'Send read receipt' });
    expect(await refused.getAttribute('aria-disabled')).toBe('true');
    await refused.click({ force: true });
    await page.getByRole('button', { name: 'Send read receipt' }).click();
    await page.getByText('Read receipt sent.').waitFor();
    await page.getByRole('button', { name: 'Send read receipt' }).waitFor({ state: 'detached' });
    await eventually(async () => expect(await readAtPhone()).toBeGreaterThan(0));
    expect(viewer.problems).toEqual([]);
    await viewer.context().close();
  });

  it('renders a long quote and the emoji picker in all layouts', async () => {
    const long = `Please ring at number 14 ${'and then at the next one '.repeat(12)}`;
    await writeIn(phone, long, { to: account.phoneNumber });
    const ringing = said('Please ring');
    await ringing.getByRole('button', { name: /^Reply to: / }).press('Enter');
    await ringing.getByRole('button', { name: /^React to: / }).press('Enter');
    await page.getByRole('group', { name: 'Reactions' }).waitFor();
    expect(await layoutViolations(page)).toEqual([]);
    // The thread clips horizontal overflow: the composer must fit for its button to be visible.
    await page.setViewportSize({ width: NARROW, height: 900 });
    const box = await page.locator('.composer-box').boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? NARROW)).toBeLessThanOrEqual(NARROW);
  });
});
