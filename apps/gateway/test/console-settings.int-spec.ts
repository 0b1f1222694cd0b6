import {
  accountSettingsSample,
  AppError,
  getAccountSettingsV1,
  getEventRetentionV1,
  setAccountSettingsV1,
  setEventRetentionV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

describe('console settings', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let owner: Awaited<ReturnType<typeof signedIn>>;

  beforeAll(async () => {
    gateway = await startGateway({
      standing: ['messaging', 'webhooks'],
      settings: { CONSOLE_REQUESTS_PER_MINUTE: 10_000 },
    });
  });
  beforeEach(async () => {
    gateway.fakes.reset();
    await gateway.database.dataSource.query('DELETE FROM sign_in_attempts');
    customer = await gateway.customer();
    owner = await signedIn(gateway, customer.accountId);
  });
  afterAll(() => gateway.close());

  const change = (body: object, path = '') => owner.call('PATCH', `/console/v1/settings${path}`, { body });
  const audited = async (action: string) =>
    (await owner.call('GET', `/console/v1/audit-log?action=${action}`)).body.entries as object[];

  it('default to those of the service', async () => {
    const viewer = await signedIn(gateway, customer.accountId, 'viewer');
    gateway.fakes.answer(getEventRetentionV1, () => ({ eventDays: null, effectiveDays: 30 }));
    const { body } = await viewer.call('GET', '/console/v1/settings');
    expect(body.settings).toMatchObject({ ...accountSettingsSample, eventDays: null, effectiveEventDays: 30 });
    expect((body.settings as { defaultOptOutWords: string[] }).defaultOptOutWords).toContain('STOP');
    expect(gateway.fakes.of(getAccountSettingsV1)).toEqual([{ accountId: customer.accountId }]);
  });

  it('change one by one, audited', async () => {
    const admin = await signedIn(gateway, customer.accountId, 'admin');
    const { status } = await admin.call('PATCH', '/console/v1/settings', {
      body: { windowPolicy: 'upstream', optOutWords: ['BASTA'], usualOptInWords: true, marketingEndpoint: true },
    });
    expect(status).toBe(200);
    const wanted = { windowPolicy: 'upstream', optOutWords: ['BASTA'], optInWords: null, marketingEndpoint: true };
    expect(gateway.fakes.of(setAccountSettingsV1)).toEqual([{ accountId: customer.accountId, ...wanted }]);
    await eventually(async () =>
      expect(await audited('settings.set')).toMatchObject([
        { actor: admin.user.userId, target: customer.accountId, outcome: 'done', details: wanted },
      ]),
    );
    expect((await admin.call('PATCH', '/console/v1/settings/retention', { body: { messageDays: 1 } })).status).toBe(
      403,
    );
  });

  it('reject empty and contradictory changes', async () => {
    for (const body of [
      {},
      { windowPolicy: 'never' },
      { marketingEndpoint: 'on' },
      { optOutWords: [] },
      { optOutWords: [' '] },
      { optOutWords: ['x'.repeat(101)] },
      { optOutWords: ['STOP'], usualOptOutWords: true },
    ])
      expect((await change(body)).status).toBeGreaterThanOrEqual(400);
    for (const body of [
      {},
      { messageDays: 0 },
      { messageDays: 36_501 },
      { eventDays: 3_651 },
      { mediaDays: 1, mediaForever: true },
    ])
      expect((await change(body, '/retention')).status).toBeGreaterThanOrEqual(400);
    expect(gateway.fakes.of(setAccountSettingsV1)).toEqual([]);
    expect(gateway.fakes.of(setEventRetentionV1)).toEqual([]);
  });

  it('include the retention of messages, files and events', async () => {
    const { accountId } = customer;
    const { status } = await change({ messageDays: 30, mediaForever: true, eventDays: 7 }, '/retention');
    expect(status).toBe(200);
    expect(gateway.fakes.of(setAccountSettingsV1)).toEqual([{ accountId, messageDays: 30, mediaDays: null }]);
    expect(gateway.fakes.of(setEventRetentionV1)).toEqual([{ accountId, eventDays: 7 }]);
    await eventually(async () =>
      expect(await audited('retention.set')).toMatchObject([
        { outcome: 'done', details: { messageDays: 30, mediaDays: null, eventDays: 7 } },
      ]),
    );
  });

  it('return OUTCOME_UNKNOWN after a partial change', async () => {
    gateway.fakes.answer(setEventRetentionV1, () => {
      throw new AppError('INVALID_VALUE');
    });
    expect((await change({ messageDays: 30, eventDays: 7 }, '/retention')).status).toBe(422);
    gateway.fakes.answer(setEventRetentionV1, () => {
      throw new AppError('UNAVAILABLE');
    });
    expect(await change({ messageDays: 30, eventDays: 7 }, '/retention')).toMatchObject({
      status: 504,
      body: { code: 'OUTCOME_UNKNOWN' },
    });
    expect(await audited('retention.set')).toMatchObject([{ outcome: 'unknown' }, { outcome: 'unknown' }]);
  });

  it('stay unchanged if one of the services is down', async () => {
    gateway.fakes.answer(getEventRetentionV1, () => {
      throw new AppError('UNAVAILABLE');
    });
    expect((await change({ windowPolicy: 'upstream' })).status).toBe(503);
    expect((await change({ messageDays: 30 }, '/retention')).status).toBe(503);
    expect(gateway.fakes.of(setAccountSettingsV1)).toEqual([]);
    await eventually(async () => expect(await audited('retention.set')).toMatchObject([{ outcome: 'refused' }]));
  });
});
