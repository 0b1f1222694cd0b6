import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newUser } from '../support/account';
import { addressOf, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { addressesFor, type BusyAccount, newBusyAccount, openAndWait, OVERLAYS } from '../support/pages';

/** Input for every field of a form: nothing, blanks, and oversized text that cannot be stored. */
const PROBES = ['', '   ', `${'x'.repeat(5_000)}\ud800`];
/** Technical wording that must not appear at a field. */
const NO_SENTENCE =
  /must be (?:longer|shorter) than|must not be (?:less|greater) than|must be an? (?:string|integer|boolean|array|object)\b|must contain (?:at least|no more)|each value in|\w is required\b|should not be|regular expression|\b[a-z]+(?:[A-Z][a-z]+)+ (?:must|is|holds|should|cannot)\b/;
// Page scripts are strings: these files have no DOM types.
const FORMS = `[...document.querySelectorAll('form:not([role=search]):has(input, textarea)')].filter((form) => !form.closest('.composer'))`;
/** Fills all fields with a text, like a script of the page, and submits. */
const SUBMIT = `([index, text]) => {
  const form = ${FORMS}[index];
  for (const field of form.querySelectorAll('input, textarea')) {
    if (['checkbox', 'radio', 'file', 'datetime-local'].includes(field.type) || field.readOnly) continue;
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
    set.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  return new Promise((after) => requestAnimationFrame(() => requestAnimationFrame(() => {
    form.requestSubmit();
    after();
  })));
}`;
const SHOWN = `document.body.innerText`;

describe('dashboard forms', () => {
  let browser: Browser;
  let account: BusyAccount;
  let page: WatchedPage;
  let addresses: Map<string, string>;

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newBusyAccount('Forms')]);
    await newUser(account.accountId, 'admin', 'Ravi');
    page = await openAs(browser, account.owner);
    addresses = await addressesFor(page, account);
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await account.close();
  });

  async function open(route: string, press: readonly string[]): Promise<void> {
    await openAndWait(page, addresses.get(route) ?? route);
    for (const name of press)
      await page
        .getByRole('button', { name, exact: true })
        .or(page.getByRole('menuitem', { name, exact: true }))
        .first()
        .click();
  }

  it('show every validation error as a sentence', async () => {
    const places = [
      ...[...addresses.keys()].map((route) => [route] as const),
      ...OVERLAYS,
      ['/jobs/new', 'List of numbers'] as const,
    ];
    const faults: string[] = [];
    const withForms = new Set<string>();
    for (const [route, ...press] of places) {
      await open(route, press);
      const forms = await page.evaluate<number>(`${FORMS}.length`);
      if (forms > 0) withForms.add([route, ...press].join(' › '));
      for (let index = 0; index < forms; index += 1)
        for (const text of PROBES) {
          // A form that was accepted may be gone.
          if ((await page.evaluate<number>(`${FORMS}.length`)) !== forms) await open(route, press);
          await page.evaluate(`(${SUBMIT})(${JSON.stringify([index, text])})`);
          await eventually(async () => expect(await page.locator('.is-busy').count()).toBe(0));
          const found = NO_SENTENCE.exec(await page.evaluate<string>(SHOWN))?.[0];
          if (found !== undefined) faults.push(`${route} ${press.join(' ')}: ${found} after ${text.slice(0, 5)}`);
        }
    }
    expect(faults).toEqual([]);
    expect([...withForms]).toEqual(
      expect.arrayContaining([
        '/profile',
        '/settings',
        '/templates/new',
        '/jobs/new',
        '/one-time-passwords',
        '/contacts/$contactId',
        '/keys › Create key',
        '/team › Invite',
        '/templates/$templateId › Test send',
        '/integrations/messaging/webhook-settings › Add endpoint',
      ]),
    );
  }, 590_000);

  it('ask before leaving an unsaved page', async () => {
    await open('/jobs/new', ['List of numbers']);
    const leave = () => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Templates' }).click();
    const question = page.getByRole('dialog', { name: 'Leave this page?' });
    await page.getByLabel('Phone numbers').fill('919812345678');
    await leave();
    await question.getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByLabel('Phone numbers').inputValue()).toBe('919812345678');
    await leave();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Templates', exact: true }).waitFor();
    expect(await question.count()).toBe(0);
  });

  it('leave without confirmation after saving', async () => {
    await open('/profile', []);
    await page.getByLabel('Your name').fill('Asha Rao');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Jobs' }).click();
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await page.goto(addressOf('/jobs/new'));
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('heading', { name: 'Templates', exact: true }).waitFor();
  });

  it('ask before Escape discards a dialog with input', async () => {
    await open('/keys', ['Create key']);
    await page.getByLabel('Name', { exact: true }).fill('Web shop');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard changes?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Web shop');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create key', exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
