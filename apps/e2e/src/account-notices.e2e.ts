import { randomInt, randomUUID } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { addNumber, newBareAccount } from './support/account';
import { clientOf } from './support/api';
import { signIn } from './support/console';
import { eventProblems } from './support/described';
import { demo, done, upstreamToken } from './support/installation';
import { control } from './support/simulator';
import { type Listener, listenFor } from './support/webhooks';

/** Account that shares a business with other accounts. */
interface Sharer {
  accountId: string;
  api: ReturnType<typeof clientOf>;
  phoneNumber: string;
  listener: Listener;
}

describe('business notices', () => {
  const wabaId = String(randomInt(1e11, 2e11));
  let one: Sharer;
  let other: Sharer;

  async function newSharer(name: string): Promise<Sharer> {
    const { accountId } = await newBareAccount(name);
    const { apiKey } = await done('keys', 'create', '--account', accountId, '--name', 'test');
    const { phoneNumber } = await addNumber(accountId, wabaId);
    return { accountId, api: clientOf(String(apiKey)), phoneNumber, listener: await listenFor(accountId) };
  }

  beforeAll(async () => {
    one = await newSharer('Notices');
    const subscribed = await fetch(`${demo.simulatorUrl}/v24.0/${wabaId}/subscribed_apps`, {
      method: 'POST',
      headers: { authorization: `Bearer ${upstreamToken}` },
    });
    expect(subscribed.status).toBe(200);
    other = await newSharer('Notices of another one');
  }, 90_000);
  afterAll(() => Promise.all([one, other].map(({ listener }) => listener.receiver.close())));

  const report = (field: string, value: object, time = Math.floor(Date.now() / 1_000)) =>
    control('POST', '/callbacks', { field, value, wabaId, time });
  const noticesOf = ({ listener }: Sharer) =>
    listener.events().flatMap((event) => (event.event === 'account_notice' ? [event] : []));

  it('reach each account once, match the description and are listed', async () => {
    const [time, expiration] = [Math.floor(Date.now() / 1_000) - 5, Math.floor(Date.now() / 1_000) + 86_400];
    const restriction_info = [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration }];
    // The platform retries a callback when it is unsure of its receipt.
    for (let call = 0; call < 3; call += 1)
      await report('account_update', { event: 'ACCOUNT_RESTRICTION', restriction_info }, time);
    await report('account_review_update', { decision: 'APPROVED' }, time + 1);
    await eventually(() => expect([noticesOf(one).length, noticesOf(other).length]).toEqual([2, 2]));
    const until = new Date(expiration * 1_000).toISOString();
    const restrictions = [{ type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', until }];
    for (const sharer of [one, other]) {
      const event = noticesOf(sharer).find(({ notice }) => notice === 'restriction');
      expect(event).toMatchObject({
        severity: 'critical',
        phoneNumbers: [sharer.phoneNumber],
        wabaId,
        restrictions,
        timestamp: new Date(time * 1_000).toISOString(),
      });
      expect(event && (await eventProblems(event))).toBe('');
      expect(event).toMatchObject({
        summary: expect.stringContaining('restricted the business') as string,
        messagingLimit: null,
        details: { event: 'ACCOUNT_RESTRICTION', restrictionInfo: [{ expiration }] },
      });
      const { notices, pagination } = await sharer.api.listAccountNotices();
      expect(pagination.total).toBe(2);
      expect(notices.map(({ id }) => id).toSorted()).toEqual(
        noticesOf(sharer)
          .map(({ id }) => id)
          .toSorted(),
      );
      expect((await sharer.api.getMe()).numbers).toMatchObject([{ status: 'CONNECTED', restrictions }]);
    }
    const [first, ...more] = (await one.api.listAccountNotices({ limit: 1 })).notices;
    expect(more).toEqual([]);
    expect(JSON.stringify(first)).not.toContain(other.phoneNumber);
  });

  it('stop the numbers of a disabled business until it is reinstated', async () => {
    const ban = (state: string) =>
      report('account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: state } });
    const statuses = async () =>
      Promise.all([one, other].map(async ({ api }) => (await api.getMe()).numbers.map(({ status }) => status)));
    await ban('DISABLE');
    await eventually(async () => expect(await statuses()).toEqual([['STOPPED'], ['STOPPED']]));
    const sent = one.api.sendMessage({ to: '919812345678', type: 'text', text: { body: 'Hello' } });
    await expect(sent).rejects.toMatchObject({ status: 409, code: 'NUMBER_STOPPED' });
    await control('POST', '/callbacks', {
      field: 'account_update',
      wabaId,
      time: Math.floor(Date.now() / 1_000) + 1,
      value: { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } },
    });
    await eventually(async () => expect(await statuses()).toEqual([['CONNECTED'], ['CONNECTED']]));
    expect((await one.api.getMe()).numbers).toMatchObject([{ restrictions: [] }]);
  });

  it('reach only one account and the console if they concern one number', async () => {
    await report('phone_number_name_update', {
      display_phone_number: one.phoneNumber,
      decision: 'REJECTED',
      requested_verified_name: 'Lucky',
      rejection_reason: 'NAME_FORMAT_UNACCEPTABLE',
    });
    await report('business_capability_update', { max_daily_conversations_per_business: 2000 });
    await eventually(() =>
      expect(noticesOf(other).filter(({ notice }) => notice === 'limit')).toMatchObject([
        { messagingLimit: 'TIER_2K' },
      ]),
    );
    await eventually(() => expect(noticesOf(one).filter(({ notice }) => notice === 'name')).toHaveLength(1));
    expect(noticesOf(other).filter(({ notice }) => notice === 'name')).toEqual([]);
    const email = `viewer-${randomUUID()}@example.com`;
    const invited = ['--account', one.accountId, '--email', email, '--name', 'Viewer', '--role', 'viewer'];
    const { password } = await done('users', 'create', ...invited);
    const user = await signIn(email, String(password));
    const { body } = await user.call('GET', '/numbers');
    expect(body).toMatchObject({ numbers: [{ nameDecision: { decision: 'REJECTED', name: 'Lucky' } }] });
  });
});
