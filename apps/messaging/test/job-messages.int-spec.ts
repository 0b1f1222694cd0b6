import {
  failJobMessagesV1,
  type JobRecipient,
  resumeNumberV1,
  setAccountSettingsV1,
  templateContentChangedV1,
  updateContactV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import {
  body,
  changesOf,
  countTasks,
  orderMessage,
  orderUpdate,
  recipients,
  release,
  type Release,
  told,
} from './support/jobs';
import { inboundText, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

describe('job messages', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2, upstreamTimeoutMs: 4_000 });
  });
  beforeEach(async () => {
    messaging.upstream.behave('accept');
    messaging.templates.set(orderUpdate.name, orderUpdate);
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const sendsOf = (ids: readonly string[]) => messaging.upstream.sends.filter(({ echo }) => ids.includes(echo));
  const rowsOf = (
    ids: readonly string[],
  ): Promise<{ id: string; state: string; upstream_id: string | null; job_id: string; error: object }[]> =>
    messaging.dataSource.query('SELECT * FROM messages WHERE id = ANY ($1) ORDER BY id', [ids]);
  const customersTold = (ids: readonly string[]) => messaging.statusEvents.filter(({ id }) => ids.includes(id));

  it('are sent once with individual values, and reported together', async () => {
    const [first, second, third] = recipients(3);
    const own = [{ ...first, components: body('B-1') }, { ...second, clientRef: 'order-2' }, third] as ReturnType<
      typeof recipients
    >;
    const { task, ids } = await release(messaging, account, { recipients: own });
    await eventually(() => expect(messaging.jobEvents.filter(({ jobId }) => jobId === task.jobId).length).toBe(1));
    const changes = changesOf(messaging, task.jobId);
    expect(changes.map(({ messageId, status }) => ({ messageId, status }))).toEqual(
      ids.map((messageId) => ({ messageId, status: 'accepted' })),
    );
    const rows = await rowsOf(ids);
    expect(
      rows.map(({ id, state, upstream_id: upstreamId, job_id: jobId }) => ({ id, state, upstreamId, jobId })),
    ).toEqual(
      changes.map(({ messageId: id, upstreamId }) => ({ id, state: 'accepted', upstreamId, jobId: task.jobId })),
    );
    const texts = ids.map((id) => sendsOf([id]).map((send) => JSON.stringify(send.body.template)));
    expect(texts).toEqual([
      [expect.stringContaining('B-1')],
      [expect.stringContaining('A-17')],
      [expect.stringContaining('A-17')],
    ]);
    const { messages } = await messaging.list(account.accountId, { jobId: task.jobId });
    expect(messages.map(({ id, clientRef }) => [id, clientRef]).reverse()).toEqual(
      ids.map((id, index) => [id, index === 1 ? 'order-2' : null]),
    );
  });

  it('are sent once despite redelivery to several processes', async () => {
    const { task, ids, again } = await release(messaging, account, { recipients: recipients(40) });
    await Promise.all([again(), again(), again()]);
    await eventually(() =>
      expect(new Set(changesOf(messaging, task.jobId).map(({ messageId }) => messageId))).toEqual(new Set(ids)),
    );
    expect(
      sendsOf(ids)
        .map(({ echo }) => echo)
        .sort(),
    ).toEqual([...ids].sort());
  });

  it('are reported again but not resent by a later task', async () => {
    const { task, ids, again } = await release(messaging, account);
    const first = await told(messaging, task.jobId, 3);
    await messaging.dataSource.query('UPDATE numbers SET stopped_at = now() WHERE id = $1', [account.numberId]);
    await again();
    expect((await told(messaging, task.jobId, 6)).slice(3)).toEqual(
      first.map((change) => ({ ...change, at: expect.any(String) })),
    );
    expect(sendsOf(ids)).toHaveLength(3);
  });

  it('are held while the number is stopped', async () => {
    messaging.upstream.behave({ refuseWith: 190, status: 401 });
    const { task, ids, again } = await release(messaging, account);
    expect(await told(messaging, task.jobId, 3)).toMatchObject(
      Array(3).fill({ status: 'held', reason: 'NUMBER_STOPPED' }),
    );
    expect(await rowsOf(ids)).toEqual([]);
    messaging.upstream.behave('accept');
    const asked = sendsOf(ids).length;
    await again();
    expect((await told(messaging, task.jobId, 6)).slice(3)).toMatchObject(
      Array(3).fill({ status: 'held', reason: 'NUMBER_STOPPED' }),
    );
    expect(sendsOf(ids)).toHaveLength(asked);
    await messaging.gateway.request(resumeNumberV1, { accountId: account.accountId, phoneNumber: account.phoneNumber });
    await again();
    expect((await told(messaging, task.jobId, 9)).slice(6)).toMatchObject(Array(3).fill({ status: 'accepted' }));
  });

  it('are held once their template is no longer approved', async () => {
    const before = await release(messaging, account);
    await told(messaging, before.task.jobId, 3);
    messaging.templates.set(orderUpdate.name, { ...orderUpdate, status: 'FLAGGED' });
    await messaging.gateway.publish(templateContentChangedV1, {
      accountId: account.accountId,
      templateName: orderUpdate.name,
    });
    await eventually(async () => {
      const { task } = await release(messaging, account);
      expect(await told(messaging, task.jobId, 3)).toMatchObject(
        Array(3).fill({ status: 'held', reason: 'TEMPLATE_NOT_APPROVED' }),
      );
    });
    const after = await Promise.all(Array.from({ length: 6 }, () => release(messaging, account)));
    for (const { task, ids } of after) {
      expect(await told(messaging, task.jobId, 3)).toMatchObject(
        Array(3).fill({ status: 'held', reason: 'TEMPLATE_NOT_APPROVED' }),
      );
      expect(sendsOf(ids)).toEqual([]);
      expect(await rowsOf(ids)).toEqual([]);
    }
  });

  it.each([132015, 132001])('are held when upstream rejects the template with code %i', async (refuseWith) => {
    messaging.upstream.behave({ refuseWith });
    const { task, ids } = await release(messaging, account);
    expect(await told(messaging, task.jobId, 3)).toMatchObject(
      Array(3).fill({ status: 'held', reason: 'TEMPLATE_NOT_APPROVED' }),
    );
    expect(await rowsOf(ids)).toEqual([]);
  });

  it('fail with upstream error codes on opt-out, window or mismatch', async () => {
    messaging.templates.set(orderUpdate.name, { ...orderUpdate, category: 'MARKETING' });
    const [refusing, misfit, other] = recipients(3) as [
      ReturnType<typeof recipients>[0],
      ReturnType<typeof recipients>[0],
      ReturnType<typeof recipients>[0],
    ];
    await messaging.send(account.accountId, {
      type: 'template',
      template: orderMessage(account).template,
      to: refusing.to,
    });
    await messaging.gateway.request(updateContactV1, {
      accountId: account.accountId,
      phone: refusing.to,
      optedOut: true,
    });
    const marketing = await release(messaging, account, {
      recipients: [refusing, { ...misfit, components: [] }, other],
    });
    const byId = new Map((await told(messaging, marketing.task.jobId, 3)).map((change) => [change.messageId, change]));
    expect(byId.get(refusing.messageId)).toMatchObject({
      status: 'failed',
      error: { reason: 'RECIPIENT_OPTED_OUT', category: 'optout', retriable: false },
    });
    expect(byId.get(misfit.messageId)).toMatchObject({
      status: 'failed',
      error: {
        reason: 'TEMPLATE_PARAMS_MISMATCH',
        category: 'template',
        message: expect.stringContaining('the body expects 1, 0 given'),
      },
    });
    expect(byId.get(other.messageId)).toMatchObject({ status: 'accepted' });
    const text = await release(messaging, account, {
      message: { type: 'text', from: account.phoneNumber, text: { body: 'Hello' } },
      recipients: recipients(1),
    });
    expect(await told(messaging, text.task.jobId, 1)).toMatchObject([
      { status: 'failed', error: { reason: 'WINDOW_CLOSED', category: 'window' } },
    ]);
    const rows = new Map((await rowsOf([...marketing.ids, ...text.ids])).map((row) => [row.id, row]));
    expect([...rows.values()].map(({ id, state }) => [id, state]).sort()).toEqual(
      [...marketing.ids, ...text.ids].map((id) => [id, id === other.messageId ? 'accepted' : 'failed']).sort(),
    );
    for (const id of [refusing.messageId, misfit.messageId])
      expect(rows.get(id)).toMatchObject({
        job_id: marketing.task.jobId,
        upstream_id: null,
        error: byId.get(id)?.error,
      });
    await eventually(() => expect(customersTold(marketing.ids).length).toBe(2));
    expect(sendsOf([...marketing.ids, ...text.ids]).map(({ echo }) => echo)).toEqual([other.messageId]);
  });

  it('return to the job if another number has an open window', async () => {
    const second = await messaging.addAccount(account.accountId);
    const [open, closed] = recipients(2) as [ReturnType<typeof recipients>[0], ReturnType<typeof recipients>[0]];
    await messaging.callback(second.phoneNumberId, { messages: [inboundText({ from: open.to })] });
    await eventually(async () =>
      expect(
        await messaging.dataSource.query('SELECT 1 FROM service_windows WHERE number_id = $1', [second.numberId]),
      ).toHaveLength(1),
    );
    const job = {
      message: { type: 'text' as const, from: account.phoneNumber, text: { body: 'Hello' } },
      numbers: [account.phoneNumber, second.phoneNumber],
    };
    const first = await release(messaging, account, { ...job, recipients: [open, closed] });
    const byId = new Map((await told(messaging, first.task.jobId, 2)).map((change) => [change.messageId, change]));
    expect(byId.get(open.messageId)).toMatchObject({
      status: 'throttled',
      scope: 'recipient',
      retryAfterMs: 0,
      from: second.phoneNumber,
    });
    expect(byId.get(closed.messageId)).toMatchObject({ status: 'failed', error: { reason: 'WINDOW_CLOSED' } });
    const again = await release(messaging, account, {
      ...job,
      message: { ...job.message, from: second.phoneNumber },
      recipients: [open],
    });
    expect(await told(messaging, again.task.jobId, 1)).toMatchObject([{ status: 'accepted' }]);
    // A repeated task for another number reports the number that has sent the message.
    const repeated = await release(messaging, account, { ...job, recipients: [open] });
    expect(await told(messaging, repeated.task.jobId, 1)).toMatchObject([
      { status: 'accepted', from: second.phoneNumber },
    ]);
    expect(sendsOf([open.messageId])).toHaveLength(1);
  });

  it('prefer a number with an open window if the platform checks windows', async () => {
    const [first, second] = [account, await messaging.addAccount(account.accountId)];
    const [elsewhere, both, closed] = recipients(3) as [JobRecipient, JobRecipient, JobRecipient];
    const windowsOf = ({ numberId }: { numberId: string }) =>
      messaging.dataSource.query('SELECT 1 FROM service_windows WHERE number_id = $1', [numberId]);
    await messaging.callback(first.phoneNumberId, { messages: [inboundText({ from: both.to })] });
    await eventually(async () => expect(await windowsOf(first)).toHaveLength(1));
    await messaging.callback(second.phoneNumberId, {
      messages: [elsewhere, both].map(({ to }) => inboundText({ from: to })),
    });
    await eventually(async () => expect(await windowsOf(second)).toHaveLength(2));
    const { accountId } = account;
    await messaging.gateway.request(setAccountSettingsV1, { accountId, windowPolicy: 'upstream' });
    const { task } = await release(messaging, account, {
      message: { type: 'text', from: first.phoneNumber, text: { body: 'Hello' } },
      numbers: [first.phoneNumber, second.phoneNumber],
      recipients: [elsewhere, both, closed],
    });
    const byId = new Map((await told(messaging, task.jobId, 3)).map((change) => [change.messageId, change]));
    expect(byId.get(elsewhere.messageId)).toMatchObject({ status: 'throttled', from: second.phoneNumber });
    // Without any open window, the number of the task sends, and the platform decides.
    for (const { messageId } of [both, closed]) expect(byId.get(messageId)).toMatchObject({ status: 'accepted' });
    expect(sendsOf([elsewhere.messageId])).toEqual([]);
    await messaging.gateway.request(setAccountSettingsV1, { accountId, windowPolicy: 'enforce' });
  });

  it('fail unsent to contacts that the number blocks', async () => {
    const [blocked, other] = recipients(2) as [ReturnType<typeof recipients>[0], ReturnType<typeof recipients>[0]];
    messaging.upstream.blocked.set(account.phoneNumberId, new Set([blocked.to]));
    await messaging.dataSource.query(
      'INSERT INTO blocks (account_id, number_id, phone, phone_key) VALUES ($1, $2, $3, $3)',
      [account.accountId, account.numberId, blocked.to],
    );
    const { task, ids } = await release(messaging, account, { recipients: [blocked, other] });
    const byId = new Map((await told(messaging, task.jobId, 2)).map((change) => [change.messageId, change]));
    expect(byId.get(blocked.messageId)).toMatchObject({ status: 'failed', error: { reason: 'RECIPIENT_BLOCKED' } });
    expect(byId.get(other.messageId)).toMatchObject({ status: 'accepted' });
    expect(sendsOf(ids).map(({ echo }) => echo)).toEqual([other.messageId]);
  });

  it('are recorded and published once when they fail unsent', async () => {
    const some = recipients(30).map((recipient, index) =>
      index === 0 ? { ...recipient, clientRef: 'order-1' } : recipient,
    );
    const { task, ids, again } = await release(messaging, account, {
      message: { type: 'text', from: account.phoneNumber, text: { body: 'Hello' } },
      recipients: some,
    });
    await Promise.all([again(), again(), again()]);
    await eventually(() =>
      expect(new Set(changesOf(messaging, task.jobId).map(({ messageId }) => messageId))).toEqual(new Set(ids)),
    );
    const before = await countTasks();
    await again();
    await eventually(async () => expect(await countTasks()).toBeGreaterThan(before));
    await eventually(() =>
      expect(
        customersTold(ids)
          .map(({ id }) => id)
          .sort(),
      ).toEqual([...ids].sort()),
    );
    const first = {
      type: 'text',
      content: { body: 'Hello' },
      to: some[0]?.to,
      from: account.phoneNumber,
      clientRef: 'order-1',
      jobId: task.jobId,
    };
    const { messages, total } = await messaging.list(account.accountId, {
      jobId: task.jobId,
      status: 'failed',
      limit: 100,
    });
    expect([total, messages.map(({ id }) => id).sort()]).toEqual([30, [...ids].sort()]);
    expect(messages.find(({ id }) => id === ids[0])).toMatchObject({
      ...first,
      status: 'failed',
      upstreamId: null,
      error: { reason: 'WINDOW_CLOSED' },
      failedAt: expect.any(String),
    });
    expect((await messaging.list(account.accountId, { phone: some[0]?.to })).messages.map(({ id }) => id)).toEqual([
      ids[0],
    ]);
    expect(sendsOf(ids)).toEqual([]);
  });

  it('fail with the reason for which their job stopped', async () => {
    const sent = await release(messaging, account);
    await told(messaging, sent.task.jobId, 3);
    const error = {
      reason: 'JOB_EXPIRED',
      code: 0,
      title: 'Job expired',
      message: 'too late',
      category: 'other' as const,
      retriable: true,
    };
    const fresh = recipients(2);
    await messaging.dataSource.query('UPDATE numbers SET removed_at = now(), is_primary = false WHERE id = $1', [
      account.numberId,
    ]);
    const task = { ...sent.task, recipients: [...sent.task.recipients, ...fresh], error };
    const ids = fresh.map(({ messageId }) => messageId);
    await Promise.all([1, 2, 3].map(() => messaging.gateway.enqueue(failJobMessagesV1, task)));
    await eventually(() => expect(customersTold(ids).length).toBe(2));
    await messaging.settled();
    expect(customersTold(ids)).toMatchObject(Array(2).fill({ status: 'failed', jobId: task.jobId, error }));
    expect(await rowsOf(ids)).toMatchObject(Array(2).fill({ state: 'failed', error }));
    expect(await rowsOf(sent.ids)).toMatchObject(Array(3).fill({ state: 'accepted' }));
  });

  it('are retried after an unknown outcome, except marketing', async () => {
    const mayRepeat = async ({ ids }: Release): Promise<boolean[]> =>
      (
        await messaging.dataSource.query<{ repeatable: boolean }[]>(
          'SELECT repeatable FROM messages WHERE id = ANY ($1)',
          [ids],
        )
      ).map(({ repeatable }) => repeatable);
    for (const [category, expected] of [
      ['UTILITY', true],
      ['MARKETING', false],
    ] as const) {
      const template = { ...orderUpdate, name: `of_${category.toLowerCase()}`, category };
      messaging.templates.set(template.name, template);
      const message = {
        ...orderMessage(account),
        template: { name: template.name, language: { code: 'en_US' }, components: body('A-17') },
      };
      const released = await release(messaging, account, { message, recipients: recipients(1) });
      expect(await told(messaging, released.task.jobId, 1)).toMatchObject([{ status: 'accepted' }]);
      expect(await mayRepeat(released)).toEqual([expected]);
    }
  });

  it('fail with the upstream reason and publish an event', async () => {
    const some = recipients(2);
    messaging.upstream.behaveTo(some[0]?.to ?? '', { refuseWith: 131026 });
    const { task, ids } = await release(messaging, account, { recipients: some });
    const error = { code: 131026, category: 'undeliverable' };
    const changes = await told(messaging, task.jobId, 2);
    expect(changes.map(({ messageId, status }) => [messageId, status]).sort()).toEqual(
      [
        [ids[0], 'failed'],
        [ids[1], 'accepted'],
      ].sort(),
    );
    expect(changes.find(({ messageId }) => messageId === ids[0])).toMatchObject({ error });
    expect(await rowsOf(ids)).toMatchObject([{ state: 'failed', error }, { state: 'accepted' }]);
    await eventually(() =>
      expect(customersTold(ids)).toMatchObject([{ id: ids[0], status: 'failed', jobId: task.jobId, error }]),
    );
  });

  it('wait unsent while the templates service does not respond', async () => {
    messaging.failingTemplates.add('unanswered');
    const { task, ids } = await release(messaging, account, {
      message: { ...orderMessage(account), template: { name: 'unanswered', language: { code: 'en_US' } } },
    });
    expect(await told(messaging, task.jobId, 3)).toMatchObject(
      Array(3).fill({ status: 'throttled', scope: 'number', retryAfterMs: 5_000 }),
    );
    expect(sendsOf(ids)).toEqual([]);
  });
});
