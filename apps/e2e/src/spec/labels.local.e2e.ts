import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from '../support/account';
import { call } from '../support/api';
import { freshPhone, writeIn } from '../support/simulator';

describe('7.3 labels of contacts', () => {
  let account: TestAccount;
  const [first = '', second = ''] = Array.from({ length: 2 }, freshPhone);

  beforeAll(async () => {
    account = await newAccount('Labels');
    for (const phone of [first, second]) {
      await writeIn(phone, 'Hello', { name: 'Asha R', to: account.phoneNumber });
      await eventually(async () =>
        expect((await account.api.listContacts({ search: phone })).contacts).toHaveLength(1),
      );
    }
  }, 120_000);

  const update = (phone: string, labels: unknown) =>
    call('PATCH', `/contacts/${phone}`, { apiKey: account.apiKey, body: { labels } });
  const phonesWith = async (label: string) =>
    (await account.api.listContacts({ label })).contacts.map(({ phone }) => phone);

  it('7.3.8 replaces labels by name, and creates missing ones', async () => {
    const { contact } = await account.api.updateContact({ phone: first, labels: ['VIP', 'New order'] });
    expect(contact).toMatchObject({ phone: first, labels: ['New order', 'VIP'] });
    expect((await account.api.updateContact({ phone: first, labels: ['vip', ' late '] })).contact.labels).toEqual([
      'late',
      'VIP',
    ]);
    expect((await update(freshPhone(), ['VIP'])).status).toBe(404);
  });

  it('7.3.9 rejects invalid names and more than 100 labels', async () => {
    for (const [labels, code] of [
      [['x'.repeat(41)], 'TEXT_TOO_LONG'],
      [[' '], 'INVALID_VALUE'],
      [Array.from({ length: 99 }, (_, index) => `Label ${index}`), 'INVALID_VALUE'],
    ] as const)
      expect((await update(second, labels)).body).toMatchObject({ success: false, code });
    expect((await account.api.listContacts({ search: second })).contacts[0]?.labels).toEqual([]);
  });

  it('7.3.10 filters contacts by label, ignoring case', async () => {
    expect(await phonesWith('VIP')).toEqual([first]);
    await account.api.updateContact({ phone: second, labels: ['VIP'] });
    expect(await phonesWith('vip')).toEqual([second, first]);
    await account.api.updateContact({ phone: second, labels: [] });
    expect(await phonesWith('vip')).toEqual([first]);
    expect(await phonesWith('unknown')).toEqual([]);
  });
});
