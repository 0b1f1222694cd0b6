import { acceptingChallenge, eventually, type Receiver, startReceiver } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { addNumber, newUser } from '../support/account';
import { clientOf } from '../support/api';
import { openAs, startBrowser } from '../support/browser';
import { done } from '../support/installation';
import { freshPhone, receivedUpstream, writeIn } from '../support/simulator';

describe('a new account', () => {
  let browser: Browser;
  let receiver: Receiver;

  beforeAll(async () => {
    [browser, receiver] = await Promise.all([startBrowser(), startReceiver()]);
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    await receiver.close();
  });

  it('completes each onboarding step without a reload', async () => {
    const accountId = String((await done('accounts', 'create', '--name', 'New shop', '--plan', 'scale'))['accountId']);
    const { phoneNumber } = await addNumber(accountId);
    const page = await openAs(browser, await newUser(accountId));
    const step = (title: string) => page.locator('.step', { hasText: title });
    const back = async (): Promise<void> => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).click();
    };
    // The platform has already approved templates of this business; nothing else is done.
    await page.getByText('1 of 4 done').waitFor();
    expect(await page.locator('.step.done').allTextContents()).toEqual([expect.stringContaining('template approved')]);

    await step('Create an API key').getByRole('link').click();
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Web shop');
    await page.getByRole('button', { name: 'Create key' }).last().click();
    const apiKey = (await page.getByRole('dialog').locator('code').first().textContent()) ?? '';
    await page.getByLabel('I have stored the key').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await back();
    await page.getByText('2 of 4 done').waitFor();

    await step('Send your first message').getByRole('link').click();
    await page.getByRole('heading', { name: 'API guide' }).waitFor();
    await back();
    const customer = freshPhone();
    await writeIn(customer, 'Do you deliver?', { to: phoneNumber });
    await eventually(() =>
      clientOf(apiKey).sendMessage({ to: customer, type: 'text', text: { body: 'We do, and this is our first one.' } }),
    );
    await eventually(async () =>
      expect(await receivedUpstream(customer)).toMatchObject([
        { body: { text: { body: 'We do, and this is our first one.' } } },
      ]),
    );
    await page.getByText('3 of 4 done').waitFor();

    await step('Receive events').getByRole('link').click();
    receiver.respondWith(acceptingChallenge('my-token'));
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    await page.getByLabel('URL').fill(`${receiver.url}/hook`);
    await page.getByLabel('Verify token').fill('my-token');
    await page.getByRole('button', { name: 'Verify and add' }).click();
    await page.getByRole('button', { name: 'I have stored the secret' }).click();
    const read = page.waitForResponse((response) => response.url().includes('/first-steps'));
    await back();
    await read;
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    await page.getByText('Getting started').waitFor({ state: 'detached' });
    await writeIn(customer, 'Thank you', { to: phoneNumber });
    await eventually(() => expect(receiver.received.some(({ body }) => body.includes('Thank you'))).toBe(true));
    expect(page.problems).toEqual([]);
    await page.context().close();
  });
});
