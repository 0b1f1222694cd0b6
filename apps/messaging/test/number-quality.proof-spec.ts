import {
  listNumberChangesV1,
  listNumbersV1,
  newId,
  resumeNumberV1,
  upstreamNumberChangedV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { CallbacksService } from '../src/callbacks/callbacks.service';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';
import { errorBody, numberObject, writeJson } from './support/upstream';

describe('number quality', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2, env: { NUMBER_POLL_SECONDS: '1' } });
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterEach(() => messaging.dataSource.query("UPDATE numbers SET poll_due_at = now() + interval '1 hour'"));
  afterAll(() => messaging.stop());

  const path = () => `/v24.0/${account.phoneNumberId}`;
  const show = (fields: object): void =>
    messaging.upstream.serve(path(), (_request, response) =>
      writeJson(response, 200, { ...numberObject(account.phoneNumberId), ...fields }),
    );
  const eventsOf = () => messaging.qualityEvents.filter(({ numberId }) => numberId === account.numberId);
  const readsOf = () => messaging.upstream.reads.filter((read) => read.startsWith(path())).length;
  const makeDue = () =>
    messaging.dataSource.query('UPDATE numbers SET poll_due_at = now() WHERE id = $1', [account.numberId]);
  const rowOf = async () =>
    (
      await messaging.dataSource.query<Record<string, unknown>[]>('SELECT * FROM numbers WHERE id = $1', [
        account.numberId,
      ])
    )[0];
  const readsMore = async (times: number): Promise<void> => {
    const before = readsOf();
    await eventually(() => expect(readsOf()).toBeGreaterThanOrEqual(before + times));
  };

  it('is polled, stored and published once per change', async () => {
    await makeDue();
    await readsMore(2);
    expect(eventsOf()).toEqual([]);
    show({ quality_rating: 'YELLOW', whatsapp_business_manager_messaging_limit: 'TIER_2K', status: 'FLAGGED' });
    await eventually(() => expect(eventsOf().length).toBe(1));
    const { accountId, numberId, phoneNumber } = account;
    const common = { accountId, numberId, phoneNumber, messagingLimit: 'TIER_2K' };
    expect(eventsOf()).toMatchObject([{ ...common, qualityRating: 'YELLOW', previousQualityRating: 'GREEN' }]);
    await readsMore(2);
    show({ quality_rating: 'RED', whatsapp_business_manager_messaging_limit: 'TIER_2K' });
    await eventually(() =>
      expect(eventsOf()).toMatchObject([{}, { ...common, qualityRating: 'RED', previousQualityRating: 'YELLOW' }]),
    );
    expect(await rowOf()).toMatchObject({ quality_rating: 'RED', messaging_limit: 'TIER_2K', status: 'CONNECTED' });
  });

  it('is recorded in the history with stops and resumes', async () => {
    const { accountId, numberId, phoneNumber } = account;
    const history = async (more: { limit?: number; cursor?: string } = {}) =>
      messaging.gateway.request(listNumberChangesV1, { accountId, numberId, limit: 20, ...more });
    show({ quality_rating: 'RED', throughput: { level: 'HIGH' } });
    await makeDue();
    await eventually(async () => expect((await history()).changes.length).toBe(2));
    await messaging.dataSource.query(
      "UPDATE numbers SET stopped_at = now(), stopped_reason = '190 Access token expired' WHERE id = $1",
      [numberId],
    );
    await messaging.gateway.request(resumeNumberV1, { accountId, phoneNumber });
    const { changes, nextCursor } = await history();
    expect(nextCursor).toBeNull();
    expect(changes).toMatchObject([
      { qualityRating: 'RED', status: 'CONNECTED', stoppedReason: null },
      { qualityRating: 'RED', status: 'STOPPED', stoppedReason: '190 Access token expired' },
      { qualityRating: 'RED', throughput: 'HIGH', status: 'CONNECTED' },
      { qualityRating: 'GREEN', status: 'CONNECTED' },
    ]);
    const first = await history({ limit: 3 });
    const rest = await history({ limit: 3, cursor: first.nextCursor ?? '' });
    expect([...first.changes, ...rest.changes]).toEqual(changes);
    const other = await messaging.addAccount();
    await expect(
      messaging.gateway.request(listNumberChangesV1, { accountId: other.accountId, numberId, limit: 20 }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { numbers } = await messaging.gateway.request(listNumbersV1, { accountId });
    expect(numbers).toMatchObject([{ id: numberId, isPrimary: true, throughput: 'HIGH', lastCallbackAt: null }]);
  });

  it('is listed together with the time of the last callback', async () => {
    const { accountId, phoneNumberId } = account;
    const since = Date.now();
    await messaging.callback(phoneNumberId, { statuses: [] });
    await eventually(async () => {
      const [number] = (await messaging.gateway.request(listNumbersV1, { accountId })).numbers;
      expect(Date.parse(number?.lastCallbackAt ?? '')).toBeGreaterThan(since - 5_000);
    });
  });

  it('does not block callbacks when their time cannot be stored', async () => {
    const { app } = await messaging.addReplica();
    const value = { metadata: { phone_number_id: account.phoneNumberId }, statuses: [] };
    const apply = () =>
      app.get(CallbacksService).applyCallback({ callbackId: newId('cb'), wabaId: '100000000000001', value });
    await messaging.dataSource.query(
      'ALTER TABLE numbers ADD CONSTRAINT never_called CHECK (last_callback_at IS NULL) NOT VALID',
    );
    await apply();
    await messaging.dataSource.query('ALTER TABLE numbers DROP CONSTRAINT never_called');
    await apply();
    expect(await rowOf()).toMatchObject({ last_callback_at: null });
  });

  it('is read by one replica per interval', async () => {
    await makeDue();
    await readsMore(1);
    const [begun, before] = [Date.now(), readsOf()];
    await readsMore(5);
    // Two replicas check every second, and an interval is one second.
    expect(readsOf() - before).toBeLessThanOrEqual(Math.ceil((Date.now() - begun) / 1_000) + 1);
  });

  it('keeps values that upstream omits', async () => {
    show({ quality_rating: undefined, status: undefined, whatsapp_business_manager_messaging_limit: undefined });
    await makeDue();
    await readsMore(2);
    expect(await rowOf()).toMatchObject({ quality_rating: 'GREEN', messaging_limit: 'TIER_10K', status: 'CONNECTED' });
  });

  it('is polled less often while the WABA is throttled', async () => {
    const neighbour = await messaging.addAccount();
    await messaging.dataSource.query("UPDATE numbers SET waba_id = 'throttled' WHERE id = ANY ($1)", [
      [account.numberId, neighbour.numberId],
    ]);
    messaging.upstream.serve(path(), (_request, response) => writeJson(response, 400, errorBody(80007)));
    await makeDue();
    await eventually(async () => expect(await rowOf()).toMatchObject({ poll_failures: expect.any(Number) as number }));
    await eventually(async () => expect(Number((await rowOf())?.poll_failures)).toBeGreaterThan(1));
    const [row] = await messaging.dataSource.query<{ poll_failures: number }[]>(
      'SELECT poll_failures FROM numbers WHERE id = $1',
      [neighbour.numberId],
    );
    expect(row?.poll_failures).toBeGreaterThan(0);
    messaging.upstream.serve(path());
    await makeDue();
    await eventually(async () => expect(await rowOf()).toMatchObject({ poll_failures: 0 }));
  });

  it.each<[string, { display_phone_number?: string; event: string }, boolean]>([
    ['of the number', { display_phone_number: 'own', event: 'FLAGGED' }, true],
    ['of the whole account', { event: 'ACCOUNT_RESTRICTION' }, true],
    ['of another number', { display_phone_number: '15559999999', event: 'FLAGGED' }, false],
  ])('is read immediately after a notification %s', async (_what, value, isRead) => {
    const wabaId = newId('num');
    await messaging.dataSource.query(
      "UPDATE numbers SET waba_id = $2, poll_due_at = now() + interval '1 hour' WHERE id = $1",
      [account.numberId, wabaId],
    );
    const shown =
      value.display_phone_number === 'own'
        ? `+${account.phoneNumber.slice(0, 1)} ${account.phoneNumber.slice(1)}`
        : value.display_phone_number;
    const before = readsOf();
    await messaging.gateway.publish(upstreamNumberChangedV1, {
      callbackId: newId('cb'),
      wabaId,
      field: 'phone_number_quality_update',
      value: { ...value, display_phone_number: shown },
    });
    if (isRead) return eventually(() => expect(readsOf()).toBeGreaterThan(before));
    const [other, path2] = [await messaging.addAccount(), messaging.upstream.reads.length];
    await messaging.dataSource.query('UPDATE numbers SET poll_due_at = now() WHERE id = $1', [other.numberId]);
    await eventually(() => expect(messaging.upstream.reads.length).toBeGreaterThan(path2));
    expect(readsOf()).toBe(before);
  });
});
