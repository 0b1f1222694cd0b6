import type { Schemas } from '@switchboard/client';
import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { done } from './support/installation';
import { approved, createTemplate } from './support/templates';
import { control, freshPhone, receivedUpstream, writeIn, writeInAny } from './support/simulator';

const REFUSAL = { status: 403, code: 'RECIPIENT_OPTED_OUT', message: 'the recipient has opted out' };
const BLOCKED = { ...REFUSAL, message: 'your account has blocked this recipient' };

describe('opted-out contacts', () => {
  let account: TestAccount;
  let marketing: string;

  beforeAll(async () => {
    const [template, made] = await Promise.all([
      createTemplate([{ type: 'BODY', text: 'Our sale starts today.' }], { category: 'MARKETING' }),
      newAccount('Opt-outs'),
    ]);
    account = made;
    marketing = template.name;
    await approved(account, [marketing, 'hello_world']);
  }, 90_000);

  const contactOf = async (phone: string): Promise<Schemas['Contact'] | undefined> =>
    (await account.api.searchContacts({ q: phone })).contacts[0];
  const sendTemplate = (to: string, name: string) =>
    account.api.sendMessage({ to, type: 'template', template: { name, language: { code: 'en_US' } } });
  const refusalOf = (send: Promise<unknown>): Promise<unknown> =>
    send.then(
      () => 'sent',
      (error: unknown) => error,
    );
  const sentTo = async (to: string): Promise<number> => (await receivedUpstream(to)).length;

  async function customer(): Promise<string> {
    const phone = freshPhone();
    await writeIn(phone, 'Hello', { to: account.phoneNumber });
    await eventually(async () =>
      expect(await contactOf(phone)).toMatchObject({
        phone,
        optedOut: false,
        marketingOptOut: false,
        windowOpen: true,
      }),
    );
    return phone;
  }

  it.each([
    ['a word', { type: 'text', text: { body: ' stop ' } }],
    ['a word with punctuation and emoji', { type: 'text', text: { body: '“Stop.” 🙏' } }],
    ['a button', { type: 'button', button: { payload: 'STOP', text: 'No more' } }],
    ["the platform's own button", { type: 'button', button: { payload: 'Stop promotions', text: 'Stop promotions' } }],
  ])('receive all messages except marketing after %s, until START', async (_what, message) => {
    const to = await customer();
    await writeInAny({ from: to, to: account.phoneNumber, ...message });
    await eventually(async () => expect(await contactOf(to)).toMatchObject({ optedOut: true, marketingOptOut: false }));
    expect(await refusalOf(sendTemplate(to, marketing))).toMatchObject(REFUSAL);
    expect(await sentTo(to)).toBe(0);
    await sendTemplate(to, 'hello_world');
    await account.api.sendMessage({ to, type: 'text', text: { body: 'as you asked' } });
    expect(await sentTo(to)).toBe(2);
    expect((await account.api.listContacts({ optedOut: true, search: to })).contacts).toMatchObject([
      { phone: to, optedOut: true, optOut: { source: 'message', userId: null } },
    ]);
    expect((await account.api.listContacts({ optedOut: false, search: to })).contacts).toEqual([]);

    await writeIn(to, 'START', { to: account.phoneNumber });
    await eventually(async () => expect(await contactOf(to)).toMatchObject({ optedOut: false }));
    await sendTemplate(to, marketing);
    expect(await sentTo(to)).toBe(3);
  });

  it('remain opted in after a keyword within a sentence', async () => {
    const to = await customer();
    const messageId = await writeIn(to, 'please stop by on Monday', { to: account.phoneNumber });
    await eventually(async () =>
      expect((await account.api.listMessages({ phone: to })).messages.map(({ message_id }) => message_id)).toContain(
        messageId,
      ),
    );
    expect(await contactOf(to)).toMatchObject({ optedOut: false });
    await sendTemplate(to, marketing);
  });

  it('receive no marketing templates after an opt-out at the platform', async () => {
    const to = await customer();
    await control('POST', '/preferences', { from: to, value: 'stop', to: account.phoneNumber });
    await eventually(async () => expect(await contactOf(to)).toMatchObject({ marketingOptOut: true, optedOut: false }));
    expect(await refusalOf(sendTemplate(to, marketing))).toMatchObject(REFUSAL);
    expect(await sentTo(to)).toBe(0);
    await control('POST', '/preferences', { from: to, value: 'resume', to: account.phoneNumber });
    await eventually(async () => expect(await contactOf(to)).toMatchObject({ marketingOptOut: false }));
    await sendTemplate(to, marketing);
    expect(await sentTo(to)).toBe(1);
  });

  it('receive no messages while the account blocks them', async () => {
    const to = await customer();
    await done('contacts', 'set', '--account', account.accountId, '--phone', to, '--blocked', 'yes');
    expect(await refusalOf(account.api.sendMessage({ to, type: 'text', text: { body: 'x' } }))).toMatchObject(BLOCKED);
    expect(await refusalOf(sendTemplate(to, 'hello_world'))).toMatchObject(BLOCKED);
    expect(await sentTo(to)).toBe(0);
    await done('contacts', 'set', '--account', account.accountId, '--phone', to, '--blocked', 'no');
    await sendTemplate(to, 'hello_world');
  });
});
