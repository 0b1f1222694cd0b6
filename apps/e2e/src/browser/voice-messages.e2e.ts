import type { Browser } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { FILES } from '../support/files';
import { freshPhone, receivedUpstream, writeInAny } from '../support/simulator';

// Page scripts are strings: these files have no DOM types.
/** Plays the first audio to its end. */
const PLAY = `new Promise((resolve, reject) => {
  const audio = document.querySelector('.thread audio');
  audio.muted = true;
  audio.addEventListener('ended', () => resolve(audio.duration));
  audio.addEventListener('error', () => reject(new Error('the audio cannot be played')));
  audio.play().catch(reject);
})`;

describe('voice messages', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  const phone = freshPhone();

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Voice messages')]);
    const from = { from: phone, to: account.phoneNumber, name: 'Asha R' };
    await writeInAny({ ...from, type: 'audio', audio: { voice: true } });
    page = await openAs(browser, await newUser(account.accountId), `/conversations/${phone}`);
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  const thread = () => page.getByRole('log', { name: 'Messages' });

  it('are played in the conversation', async () => {
    await thread().locator('.bubble', { hasText: 'Voice message' }).waitFor();
    expect(await page.evaluate<number>(PLAY)).toBeGreaterThan(0);
  });

  it('are sent from an Ogg file', async () => {
    const file = { ...FILES.audio, name: 'answer.ogg' };
    const choose = (given: { name: string; mimeType: string; bytes: Buffer }) =>
      page
        .getByLabel('File to send')
        .setInputFiles({ name: given.name, mimeType: given.mimeType, buffer: given.bytes });
    const voice = page.getByRole('checkbox', { name: 'Voice message' });
    await choose({ ...file, name: 'song.mp3', mimeType: 'audio/mpeg' });
    await page.locator('.composer-file').getByText('song.mp3').waitFor();
    expect(await voice.count()).toBe(0);
    await choose(file);
    await voice.check();
    expect(await layoutViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await thread().locator('.bubble.out', { hasText: 'Voice message' }).waitFor();
    expect(await receivedUpstream(phone)).toMatchObject([{ body: { type: 'audio', audio: { voice: true } } }]);
    await choose(file);
    expect(await voice.isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Remove file' }).click();
  }, 60_000);
});
