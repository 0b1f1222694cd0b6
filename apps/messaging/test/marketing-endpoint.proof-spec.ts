import { newId, type SendJobMessagesV1, setAccountSettingsV1, templateSample } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { recipients, release, told } from './support/jobs';
import { CUSTOMER, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const OFFER = { name: 'offer', language: { code: 'en_US' } };
const NEWS = { name: 'news', language: { code: 'en_US' } };
const UPDATE = { name: 'update', language: { code: 'en_US' } };

describe('the marketing endpoint', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;
  let closeIngress: () => Promise<void>;

  beforeAll(async () => {
    messaging = await startMessaging({ graceSeconds: 1, env: { NUMBER_POLL_SECONDS: '1' } });
    closeIngress = messaging.openIngress();
    const components = [{ type: 'BODY', text: 'Our sale starts today.' }];
    for (const { name } of [OFFER, NEWS])
      messaging.templates.set(name, { ...templateSample, name, category: 'MARKETING', components });
    messaging.templates.set(UPDATE.name, { ...templateSample, name: UPDATE.name, components });
  });
  beforeEach(async () => {
    messaging.upstream.behave('accept');
    messaging.upstream.behaveAtMarketing();
    messaging.upstream.onboard('ONBOARDED');
    account = await messaging.addAccount();
    await choose(true);
    await onboarded('ONBOARDED');
  });
  afterAll(async () => {
    await closeIngress();
    await messaging.stop();
  });

  const choose = (marketingEndpoint: boolean) =>
    messaging.gateway.request(setAccountSettingsV1, { accountId: account.accountId, marketingEndpoint });
  const numberRow = async () =>
    (
      await messaging.dataSource.query<Record<string, unknown>[]>('SELECT * FROM numbers WHERE id = $1', [
        account.numberId,
      ])
    )[0];
  const onboarded = async (status: string): Promise<void> => {
    await messaging.dataSource.query('UPDATE numbers SET poll_due_at = now() WHERE id = $1', [account.numberId]);
    await eventually(async () => expect(await numberRow()).toMatchObject({ marketing_onboarding: status }));
  };
  const send = (template: object, id = newId('msg')) =>
    messaging.send(account.accountId, { type: 'template', template: template as typeof OFFER }, id).then(() => id);
  /** Returns the endpoints through which a message was sent, in order. */
  const waysOf = (id: string): boolean[] =>
    messaging.upstream.sends.filter(({ echo }) => echo === id).map(({ isMarketing }) => isMarketing);
  const rowOf = async (id: string) =>
    (await messaging.dataSource.query<Record<string, unknown>[]>('SELECT * FROM messages WHERE id = $1', [id]))[0];

  it('receives only marketing messages, with the internal id', async () => {
    const offer = await send(OFFER);
    const [taken] = messaging.upstream.sends.filter(({ echo }) => echo === offer);
    expect(taken).toMatchObject({
      isMarketing: true,
      phoneNumberId: account.phoneNumberId,
      body: { to: `+${CUSTOMER}`, type: 'template', template: OFFER, product_policy: 'CLOUD_API_FALLBACK' },
    });
    expect(await rowOf(offer)).toMatchObject({ state: 'accepted', repeatable: false });
    const update = await send(UPDATE);
    expect(waysOf(update)).toEqual([false]);
    expect(messaging.upstream.sends.find(({ echo }) => echo === update)?.body).not.toHaveProperty('product_policy');
    expect(await rowOf(update)).toMatchObject({ state: 'accepted', repeatable: true });
  });

  it('is unused unless enabled and onboarded', async () => {
    await choose(false);
    const unwanted = await send(OFFER);
    expect(waysOf(unwanted)).toEqual([false]);
    expect(await rowOf(unwanted)).toMatchObject({ repeatable: true });
    await choose(true);
    messaging.upstream.onboard('ELIGIBLE');
    await onboarded('ELIGIBLE');
    expect(waysOf(await send(OFFER))).toEqual([false]);
    messaging.upstream.onboard();
    const reads = () => messaging.upstream.reads.filter((path) => path.includes(account.phoneNumberId)).length;
    const before = reads();
    // When the number is read again, the result of the previous read has been stored.
    await eventually(() => expect(reads()).toBeGreaterThanOrEqual(before + 3));
    expect(await numberRow()).toMatchObject({ marketing_onboarding: 'ELIGIBLE' });
  });

  it.each([
    ['terms not accepted', { refuseWith: 131055 }],
    ['token without access', { refuseWith: 200, status: 403 }],
    ['unknown API path', { refuseWith: 2500 }],
  ])('is bypassed after a rejection: %s', async (_why, refusal) => {
    messaging.upstream.behaveAtMarketing(refusal);
    const first = await send(OFFER);
    expect(waysOf(first)).toEqual([true, false]);
    expect(await rowOf(first)).toMatchObject({ state: 'accepted', error: null });
    expect(await numberRow()).toMatchObject({ stopped_at: null });
    expect(waysOf(await send(NEWS))).toEqual([false]);
  });

  it('is bypassed for a template that it does not know yet', async () => {
    messaging.upstream.behaveAtMarketing({ refuseWith: 134101 });
    expect(waysOf(await send(OFFER))).toEqual([true, false]);
    messaging.upstream.behaveAtMarketing();
    expect(waysOf(await send(OFFER))).toEqual([false]);
    expect(waysOf(await send(NEWS))).toEqual([true]);
  });

  it('fails the message when it rejects the recipient', async () => {
    messaging.upstream.behaveAtMarketing({ refuseWith: 131050 });
    const id = newId('msg');
    await expect(send(OFFER, id)).rejects.toMatchObject({ code: 'RECIPIENT_OPTED_OUT' });
    expect(waysOf(id)).toEqual([true]);
    expect(await rowOf(id)).toMatchObject({ state: 'failed' });
  });

  it('is not called again after a lost response', async () => {
    messaging.upstream.behaveAtMarketing('accept-then-cut');
    const [settled, lost] = [newId('msg'), newId('msg')];
    for (const id of [settled, lost]) await expect(send(OFFER, id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    await messaging.callback(account.phoneNumberId, {
      statuses: [
        {
          id: 'wamid.settled',
          status: 'sent',
          timestamp: '1790416830',
          recipient_id: CUSTOMER,
          biz_opaque_callback_data: settled,
          pricing: { category: 'marketing_lite', billable: true },
        },
      ],
    });
    await eventually(async () =>
      expect(await rowOf(lost)).toMatchObject({
        state: 'failed',
        error: { reason: 'UPSTREAM_TIMEOUT', message: expect.stringContaining('may have been sent') as string },
      }),
    );
    await eventually(async () =>
      expect(await rowOf(settled)).toMatchObject({ state: 'sent', pricing: { category: 'marketing_lite' } }),
    );
    expect([waysOf(settled), waysOf(lost)]).toEqual([[true], [true]]);
  });

  it('is not called after a lost response of the normal endpoint', async () => {
    messaging.upstream.behaveAtMarketing({ refuseWith: 131055 });
    messaging.upstream.behave('accept-then-cut');
    const id = newId('msg');
    await expect(send(OFFER, id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    messaging.upstream.behave('accept');
    await eventually(async () => expect(await rowOf(id)).toMatchObject({ state: 'failed' }));
    expect(waysOf(id)).toEqual([true, false]);
  });

  it('gets each marketing message of a job once', async () => {
    const message: SendJobMessagesV1['message'] = { type: 'template', from: account.phoneNumber, template: OFFER };
    const taken = await release(messaging, account, { message, recipients: recipients(3) });
    await told(messaging, taken.task.jobId, 3);
    expect(taken.ids.map(waysOf)).toEqual([[true], [true], [true]]);
    messaging.upstream.behaveAtMarketing({ refuseWith: 131055 });
    const refused = await release(messaging, account, { message, recipients: recipients(5) });
    const changes = await told(messaging, refused.task.jobId, 5);
    expect(changes.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'accepted'));
    for (const id of refused.ids) expect(waysOf(id).filter((isMarketing) => !isMarketing)).toHaveLength(1);
  });
});
