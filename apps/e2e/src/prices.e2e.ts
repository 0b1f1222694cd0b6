import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, SAMPLE_RATES } from '@switchboard/testing';
import { newAccount, newBusiness, newUser, type TestAccount } from './support/account';
import { done } from './support/installation';
import { signIn, type SignedIn } from './support/console';
import { control, freshPhone, writeInAny } from './support/simulator';
import { approved, createTemplate } from './support/templates';
import { listenFor, type Listener } from './support/webhooks';

/** Each operator command is a process: seconds on a busy machine. */
const COMMANDS_MS = 240_000;
const ratesFile = join(tmpdir(), `rates-${process.pid}.csv`);
const AD = { source_type: 'ad', source_id: '1202', source_url: 'https://fb.me/x', headline: 'Sale' };

describe('prices of the upstream platform', () => {
  let account: TestAccount;
  let listener: Listener;
  let owner: SignedIn;
  let template: { name: string; language: { code: string } };
  /** Its own business, which can lose its payment method. */
  let wabaId: string;

  beforeAll(async () => {
    await control('POST', '/pricing', { date: '2026-10-15' });
    wabaId = await newBusiness();
    account = await newAccount('Prices', { wabaId });
    const body = [{ type: 'BODY', text: 'Your order is on its way.' }];
    const [{ name }, { email, password }] = await Promise.all([
      createTemplate(body, { category: 'UTILITY', wabaId }),
      newUser(account.accountId),
    ]);
    template = { name, language: { code: 'en_US' } };
    owner = await signIn(email, password);
    listener = await listenFor(account.accountId);
    await approved(account, [name]);
  }, COMMANDS_MS);
  afterAll(async () => {
    await control('POST', '/pricing', {});
    await listener.receiver.close();
    await rm(ratesFile, { force: true });
  });

  const contact = async (more: object = {}): Promise<string> => {
    const from = freshPhone();
    await writeInAny({ from, to: account.phoneNumber, type: 'text', text: 'Hello', ...more });
    await eventually(async () => expect((await account.api.listMessages({ phone: from })).messages).toHaveLength(1));
    return from;
  };
  const sendTemplate = (to: string) => account.api.sendMessage({ to, type: 'template', template });
  const sendText = (to: string) => account.api.sendMessage({ to, type: 'text', text: { body: 'Hello' } });
  const settled = (id: string) =>
    eventually(async () => {
      const { message } = await account.api.getMessage({ id });
      expect(['read', 'failed']).toContain(message.status);
      return message;
    });

  it('appear as reported in the record, the event and the statistics', async () => {
    const [customer, lead] = [await contact(), await contact({ referral: AD })];
    const [billed, free] = [await sendTemplate(customer), await sendText(lead)];
    const regular = { category: 'utility', billable: true, type: 'regular', model: 'PMP' };
    const entry = { category: 'referral_conversion', billable: false, type: 'free_entry_point', model: 'PMP' };
    expect((await settled(billed.id)).pricing).toEqual(regular);
    expect((await settled(free.id)).pricing).toEqual(entry);
    await eventually(() => {
      expect(listener.about(billed.message_id)[0]).toMatchObject({ status: 'sent', pricing: regular });
      expect(listener.about(free.message_id)[0]).toMatchObject({ status: 'sent', pricing: entry });
    });
    const { body } = await owner.call('GET', '/figures/prices?days=1');
    expect(body).toMatchObject({
      periods: [
        {
          prices: expect.arrayContaining([
            { category: 'utility', type: 'regular', billable: true, messages: 1 },
            { category: 'referral_conversion', type: 'free_entry_point', billable: false, messages: 1 },
          ]),
        },
      ],
    });
  });

  it('are summed by month, market, template and job', async () => {
    await writeFile(ratesFile, SAMPLE_RATES);
    await done('rates', 'import', ratesFile, '--replace');
    const to = await contact();
    const { jobId } = await account.api.sendBulk({ recipients: [to], type: 'template', template });
    const named = async (by: 'market' | 'template' | 'job') => (await account.api.getUsage({ by })).groups;
    await eventually(async () =>
      expect(await named('job')).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: jobId, delivered: 1, billable: 1, amount: '0.0015' })]),
      ),
    );
    expect(await named('template')).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: template.name, unrated: 0 })]),
    );
    const [market] = await named('market');
    expect(market).toMatchObject({ name: 'India' });
    const { body } = await owner.call('GET', '/usage?by=market');
    expect(body).toMatchObject({ currency: 'USD', by: 'market', groups: [market] });
    const { body: card } = await owner.call('GET', '/rates');
    expect(card['rates']).toContainEqual({
      market: 'India',
      category: 'service',
      currency: 'USD',
      amount: '0.0015',
      validFrom: '2026-10-01',
      source: 'sample for tests',
    });
  });

  it('allow only free messages while the business cannot pay', async () => {
    const [customer, lead] = [await contact(), await contact({ referral: AD })];
    await control('POST', `/businesses/${wabaId}/payment`, { valid: false });
    const [refused, passed] = [await sendTemplate(customer), await sendTemplate(lead)];
    expect(await settled(refused.id)).toMatchObject({
      status: 'failed',
      error: { code: 131042, category: 'credit' },
      pricing: null,
    });
    expect(await settled(passed.id)).toMatchObject({ status: 'read', pricing: { type: 'free_entry_point' } });
    expect(await account.api.getMe()).toMatchObject({ numbers: [{ status: 'CONNECTED' }] });
  });
});
