import {
  type AccountNoticeRecord,
  listAccountNoticesV1,
  listNumbersV1,
  newId,
  upstreamNumberChangedV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { NoticesService } from '../src/notices/notices.service';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const HOUR = 3_600;
const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

describe('notices about a business account', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;
  let neighbour: TestAccount;
  let wabaId: string;
  let stranger: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
  });
  beforeEach(async () => {
    [account, neighbour, stranger] = [
      await messaging.addAccount(),
      await messaging.addAccount(),
      await messaging.addAccount(),
    ];
    wabaId = String(Math.floor(Math.random() * 1e12));
    await messaging.dataSource.query('UPDATE numbers SET waba_id = $1 WHERE account_id = ANY ($2)', [
      wabaId,
      [account.accountId, neighbour.accountId],
    ]);
    await messaging.dataSource.query("UPDATE numbers SET poll_due_at = now() + interval '1 hour'");
  });
  afterAll(() => messaging.stop());

  const report = (field: string, value: object, time?: number) =>
    messaging.gateway.publish(upstreamNumberChangedV1, {
      callbackId: newId('cb'),
      wabaId,
      field,
      value,
      ...(time !== undefined && { time }),
    });
  const noticesOf = async ({ accountId }: TestAccount): Promise<AccountNoticeRecord[]> =>
    (await messaging.gateway.request(listAccountNoticesV1, { accountId, page: 1, limit: 20 })).notices;
  const eventsOf = ({ accountId }: TestAccount) =>
    messaging.noticeEvents.filter((event) => event.accountId === accountId);
  const numberOf = async ({ accountId }: TestAccount) =>
    (await messaging.gateway.request(listNumbersV1, { accountId })).numbers[0];
  const restriction = (until: number) => ({
    event: 'ACCOUNT_RESTRICTION',
    restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: until }],
  });
  const ban = (state: string) => ({ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: state } });

  it('are raised once for each account of the business', async () => {
    // Add a second number of the business to the account: one notice then lists both.
    const second = await messaging.addAccount();
    await messaging.dataSource.query(
      "UPDATE numbers SET account_id = $1, waba_id = $2, is_primary = false, poll_due_at = now() + interval '1 hour' WHERE id = $3",
      [account.accountId, wabaId, second.numberId],
    );
    const [time, until] = [secondsFromNow(-60), secondsFromNow(HOUR)];
    await Promise.all(Array.from({ length: 6 }, () => report('account_update', restriction(until), time)));
    await eventually(() => expect([eventsOf(account), eventsOf(neighbour)]).toMatchObject([[{}], [{}]]));
    // A later report proves that the earlier reports have been applied.
    await report('account_review_update', { decision: 'APPROVED' }, time + 1);
    await eventually(() => expect([eventsOf(account).length, eventsOf(neighbour).length]).toEqual([2, 2]));
    const found = await noticesOf(account);
    expect(found).toMatchObject([
      { notice: 'review', severity: 'info' },
      {
        notice: 'restriction',
        phoneNumbers: [account.phoneNumber, second.phoneNumber],
        wabaId,
        timestamp: new Date(time * 1_000).toISOString(),
        restrictions: [{ until: new Date(until * 1_000).toISOString() }],
        details: { restrictionInfo: [{ expiration: until }] },
      },
    ]);
    expect(eventsOf(account).map(({ id }) => id)).toEqual(found.map(({ id }) => id).toReversed());
    expect(await noticesOf(neighbour)).toMatchObject([{}, { phoneNumbers: [neighbour.phoneNumber] }]);
    expect([await noticesOf(stranger), eventsOf(stranger)]).toEqual([[], []]);
    expect(messaging.repeated).toEqual([]);
  });

  it('are stored completely when retried after a partial failure', async () => {
    const { app } = await messaging.addReplica();
    const change = {
      callbackId: newId('cb'),
      wabaId,
      field: 'account_update',
      value: ban('DISABLE'),
      time: secondsFromNow(-60),
    };
    await messaging.dataSource.query(
      `ALTER TABLE numbers ADD CONSTRAINT never_stopped CHECK (account_id <> '${neighbour.accountId}' OR stopped_at IS NULL)`,
    );
    await expect(app.get(NoticesService).recordChange(change)).rejects.toThrow('never_stopped');
    expect([await noticesOf(account), (await numberOf(account))?.status]).toEqual([[], 'CONNECTED']);
    await messaging.dataSource.query('ALTER TABLE numbers DROP CONSTRAINT never_stopped');
    await app.get(NoticesService).recordChange(change);
    await app.get(NoticesService).recordChange(change);
    await eventually(() => expect([eventsOf(account), eventsOf(neighbour)]).toMatchObject([[{}], [{}]]));
    expect((await numberOf(account))?.status).toBe('STOPPED');
  });

  it('show a restriction in the list of numbers until it ends', async () => {
    await messaging.writeIn(account);
    await report('account_update', restriction(secondsFromNow(HOUR)), secondsFromNow(-60));
    await eventually(async () =>
      expect(await numberOf(account)).toMatchObject({
        status: 'CONNECTED',
        restrictions: [{ type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' }],
      }),
    );
    expect(await messaging.send(account.accountId, { type: 'text', text: { body: 'Hello' } })).toMatchObject({
      upstreamId: expect.any(String),
    });
    // An earlier notice that arrives late changes nothing. Expired restrictions are no longer shown.
    await report('account_update', restriction(secondsFromNow(2 * HOUR)), secondsFromNow(-120));
    await eventually(async () => expect((await noticesOf(account)).length).toBe(2));
    const until = (await numberOf(account))?.restrictions?.[0]?.until ?? '';
    expect(Date.parse(until)).toBeLessThan(Date.now() + 1.5 * HOUR * 1_000);
    const endless = { event: 'ACCOUNT_RESTRICTION', restriction_info: [{ restriction_type: 'RESTRICTED_NEW_THING' }] };
    await report('account_update', endless, secondsFromNow(-30));
    await eventually(async () =>
      expect((await numberOf(account))?.restrictions).toEqual([{ type: 'RESTRICTED_NEW_THING', until: null }]),
    );
    await report('account_update', restriction(secondsFromNow(-1)), secondsFromNow(-1));
    await eventually(async () => expect((await numberOf(account))?.restrictions).toEqual([]));
  });

  it('stop the numbers of a disabled business until reinstatement', async () => {
    // The account also has a number of another business.
    await messaging.dataSource.query('UPDATE numbers SET account_id = $1, is_primary = false WHERE id = $2', [
      account.accountId,
      stranger.numberId,
    ]);
    await messaging.writeIn(account);
    await report('account_update', ban('SCHEDULE_FOR_DISABLE'), secondsFromNow(-400));
    await eventually(async () =>
      expect(await numberOf(account)).toMatchObject({ status: 'CONNECTED', businessState: 'disable_scheduled' }),
    );
    await report('account_update', ban('DISABLE'), secondsFromNow(-300));
    await eventually(async () =>
      expect(await numberOf(account)).toMatchObject({
        status: 'STOPPED',
        businessState: 'disabled',
        stoppedReason: 'the upstream platform disabled the business account',
      }),
    );
    await expect(messaging.send(account.accountId, { type: 'text', text: { body: 'Hello' } })).rejects.toMatchObject({
      code: 'NUMBER_STOPPED',
    });
    const { accountId } = account;
    expect((await messaging.gateway.request(listNumbersV1, { accountId })).numbers).toMatchObject([
      { phoneNumber: account.phoneNumber, status: 'STOPPED' },
      { phoneNumber: stranger.phoneNumber, status: 'CONNECTED' },
    ]);
    expect(messaging.stoppedEvents.filter(({ accountId }) => accountId === account.accountId)).toHaveLength(1);
    await report('account_update', ban('REINSTATE'), secondsFromNow(-100));
    await eventually(async () =>
      expect(await numberOf(account)).toMatchObject({ status: 'CONNECTED', businessState: null, stoppedReason: null }),
    );
    // A ban from before the reinstatement arrives after it.
    await report('account_update', ban('DISABLE'), secondsFromNow(-200));
    await eventually(async () => expect((await noticesOf(account)).length).toBe(4));
    expect(await numberOf(account)).toMatchObject({ status: 'CONNECTED', businessState: null });
    expect(await messaging.send(account.accountId, { type: 'text', text: { body: 'Hello' } })).toMatchObject({
      upstreamId: expect.any(String),
    });
  });

  it('do not resume numbers that stopped for another reason', async () => {
    await messaging.dataSource.query(
      "UPDATE numbers SET stopped_at = now(), stopped_reason = '190 Access token expired' WHERE id = $1",
      [account.numberId],
    );
    await report('account_update', ban('REINSTATE'), secondsFromNow(-100));
    await eventually(() => expect(eventsOf(account).length).toBe(1));
    expect(await numberOf(account)).toMatchObject({ status: 'STOPPED', stoppedReason: '190 Access token expired' });
  });

  it('show the name decision of a number', async () => {
    const decided = (decision: string) => ({
      display_phone_number: account.phoneNumber,
      decision,
      requested_verified_name: 'Lucky',
      rejection_reason: decision === 'REJECTED' ? 'NAME_FORMAT_UNACCEPTABLE' : null,
    });
    await report('phone_number_name_update', decided('REJECTED'), secondsFromNow(-100));
    await eventually(async () =>
      expect((await numberOf(account))?.nameDecision).toEqual({
        decision: 'REJECTED',
        name: 'Lucky',
        reason: 'NAME_FORMAT_UNACCEPTABLE',
        at: expect.any(String),
      }),
    );
    await report('phone_number_name_update', decided('APPROVED'), secondsFromNow(-50));
    await eventually(async () =>
      expect((await numberOf(account))?.nameDecision).toMatchObject({ decision: 'APPROVED' }),
    );
    expect([await noticesOf(neighbour), (await numberOf(neighbour))?.nameDecision]).toEqual([[], null]);
  });

  it('report a limit only when it changes', async () => {
    const capability = (limit: number, time: number) =>
      report('business_capability_update', { max_daily_conversations_per_business: limit }, time);
    await capability(2000, secondsFromNow(-500));
    await eventually(() => expect(eventsOf(account)).toMatchObject([{ messagingLimit: 'TIER_2K' }]));
    // The same limit in another field is not new, but a different limit is.
    const beside = { display_phone_number: account.phoneNumber, event: 'THROUGHPUT_UPGRADE' };
    await report('phone_number_quality_update', { ...beside, current_limit: 'TIER_2K' }, secondsFromNow(-400));
    await messaging.settled();
    await report('phone_number_quality_update', { ...beside, current_limit: 'TIER_10K' }, secondsFromNow(-300));
    await eventually(() => expect(eventsOf(account).length).toBe(2));
    await capability(10000, secondsFromNow(-200));
    await capability(-1, secondsFromNow(-100));
    await eventually(() => expect(eventsOf(account).length).toBe(3));
    expect(
      eventsOf(account)
        .map(({ messagingLimit }) => messagingLimit)
        .toSorted(),
    ).toEqual(['TIER_10K', 'TIER_2K', 'TIER_UNLIMITED']);
    expect(eventsOf(neighbour)).toHaveLength(3);
  });

  it('are listed page by page', async () => {
    for (const index of [1, 2, 3, 4, 5])
      await report('account_alerts', { alert_info: { alert_description: `Alert ${index}` } }, secondsFromNow(-index));
    await eventually(async () => expect((await noticesOf(account)).length).toBe(5));
    const list = (more: object) =>
      messaging.gateway.request(listAccountNoticesV1, { accountId: account.accountId, page: 1, limit: 2, ...more });
    const first = await list({});
    const second = await list({ cursor: first.nextCursor });
    const last = await list({ cursor: second.nextCursor });
    expect([...first.notices, ...second.notices, ...last.notices]).toEqual(await noticesOf(account));
    const ids = (await noticesOf(account)).map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect([first.total, first.hasNext, last.hasNext, last.nextCursor]).toEqual([5, true, false, null]);
    expect((await list({ page: 3 })).notices).toEqual(last.notices);
    expect((await list({ page: 9_000_000_000_000 })).notices).toEqual([]);
    await expect(list({ cursor: 'x' })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  });

  it('are listed up to 5,000 by page and beyond by cursor', async () => {
    await messaging.dataSource.query(
      `INSERT INTO account_notices (id, account_id, fact, waba_id, notice, severity, summary, phone_numbers, restrictions, details, occurred_at) SELECT 'ntc_01jd' || lpad(n::text, 22, '0'), $1, n::text, '1', 'alert', 'info', 'x', '{}'::text[], '[]'::jsonb, '{}'::jsonb, now() FROM generate_series(1, 5150) AS n`,
      [account.accountId],
    );
    const list = (more: object) =>
      messaging.gateway.request(listAccountNoticesV1, { accountId: account.accountId, page: 1, limit: 100, ...more });
    const { notices, total, hasNext, nextCursor } = await list({ page: 50 });
    expect([notices.length, total, hasNext]).toEqual([100, 5150, true]);
    for (const page of [51, 52]) await expect(list({ page })).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    expect((await list({ cursor: nextCursor ?? '' })).notices).toHaveLength(100);
    expect((await list({ page: 53 })).notices).toEqual([]);
  });
});
