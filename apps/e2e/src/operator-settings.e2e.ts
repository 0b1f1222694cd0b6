import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { get } from './support/api';
import { done } from './support/installation';
import { freshPhone, receivedUpstream, writeIn } from './support/simulator';

/** Each operator command is a process, which takes seconds on a busy machine. */
const COMMANDS_MS = 120_000;

describe('account settings by the operator', () => {
  let account: TestAccount;

  beforeAll(async () => {
    account = await newAccount('Settings');
  }, COMMANDS_MS);

  const set = (...words: string[]) => done('settings', 'set', '--account', account.accountId, ...words);
  const sendText = (to: string) => account.api.sendMessage({ to, type: 'text', text: { body: 'Hello?' } });
  const contactOf = async (phone: string) => (await account.api.searchContacts({ q: phone })).contacts[0];
  const refused = { status: 400, code: 'WINDOW_CLOSED' };

  it(
    'set the window policy to local rejection or failure upstream',
    async () => {
      const to = freshPhone();
      await expect(sendText(to)).rejects.toMatchObject(refused);
      expect(await receivedUpstream(to)).toEqual([]);

      expect(await set('--window-policy', 'upstream')).toMatchObject({
        windowPolicy: 'upstream',
        optOutWords: expect.arrayContaining(['STOP', 'STOP PROMOTIONS']),
        defaultOptOutWords: true,
      });
      const { id } = await sendText(to);
      expect(await receivedUpstream(to)).toHaveLength(1);
      await eventually(
        async () =>
          expect((await account.api.listMessages({ phone: to })).messages).toMatchObject([
            { id, status: 'failed', error: { code: 131047, category: 'window' } },
          ]),
        { timeoutMs: 60_000 },
      );

      await set('--window-policy', 'enforce');
      await expect(sendText(to)).rejects.toMatchObject(refused);
      expect(await receivedUpstream(to)).toHaveLength(1);
    },
    COMMANDS_MS,
  );

  it(
    'replace the opt-out and opt-in keywords',
    async () => {
      await set('--opt-out-word', 'genug', '--opt-in-word', 'weiter');
      const phone = freshPhone();
      const write = async (text: string, optedOut: boolean): Promise<void> => {
        const messageId = await writeIn(phone, text, { to: account.phoneNumber });
        await eventually(async () =>
          expect((await account.api.listMessages({ phone })).messages.map(({ message_id }) => message_id)).toContain(
            messageId,
          ),
        );
        await eventually(async () => expect(await contactOf(phone)).toMatchObject({ optedOut }));
      };
      await write('STOP', false);
      await write('Genug', true);
      await write('weiter', false);
      expect(await set('--default-opt-out-words', '--default-opt-in-words')).toMatchObject({
        defaultOptOutWords: true,
        defaultOptInWords: true,
      });
      await write('STOP', true);
    },
    COMMANDS_MS,
  );

  it(
    'set retention periods and count rows before deletion',
    async () => {
      const words = ['--account', account.accountId];
      expect(await done('retention', 'show', ...words)).toMatchObject({ messageDays: 'forever', mediaDays: 'forever' });
      expect(await done('retention', 'set', ...words, '--message-days', '400', '--media-days', '90')).toMatchObject({
        messageDays: 400,
        mediaDays: 90,
      });
      expect(await done('retention', 'run', ...words, '--dry-run')).toMatchObject({
        dryRun: true,
        messages: 0,
        media: 0,
        jobs: 0,
        recipients: 0,
        events: 0,
      });
      expect(await done('retention', 'run', ...words)).toMatchObject({
        dryRun: false,
        messages: 0,
        media: 0,
        jobs: 0,
        recipients: 0,
        events: 0,
      });
    },
    COMMANDS_MS,
  );

  it(
    'erase a contact after a dry run that only counts',
    async () => {
      const phone = freshPhone();
      await writeIn(phone, 'Forget me', { to: account.phoneNumber, name: 'Ann' });
      await eventually(async () => expect(await contactOf(phone)).toMatchObject({ phone }));
      await sendText(phone);
      const words = ['--account', account.accountId, '--phone', phone];
      expect(await done('contacts', 'erase', ...words, '--dry-run')).toMatchObject({ dryRun: true, messages: 2 });
      expect((await account.api.listMessages({ phone })).messages).toHaveLength(2);
      expect(await done('contacts', 'erase', ...words, '--yes')).toMatchObject({ dryRun: false, messages: 2 });
      expect((await account.api.listMessages({ phone })).messages).toEqual([]);
      expect(await contactOf(phone)).toBeUndefined();
      expect((await get(`/conversations/${phone}/messages`, { apiKey: account.apiKey })).status).toBe(404);
    },
    COMMANDS_MS,
  );

  it(
    'appear in the audit log with masked numbers',
    async () => {
      const { entries } = (await done('audit', 'list', '--account', account.accountId)) as {
        entries: { action: string; target: string }[];
      };
      expect(new Set(entries.map(({ action }) => action))).toEqual(
        new Set([
          'account.create',
          'key.create',
          'number.add',
          'settings.set',
          'retention.set',
          'retention.run',
          'contact.erase',
        ]),
      );
      expect(entries.find(({ action }) => action === 'contact.erase')?.target).toMatch(/^…\d{4}$/);
    },
    COMMANDS_MS,
  );
});
