import {
  AppError,
  showMessageV1,
  type FollowedMessage,
  getEventV1,
  getJobV1,
  listEventsV1,
  newId,
} from '@switchboard/contracts';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { type OperatorUnderTest, operatorOn } from './support/operator';

const [sample] = showMessageV1.sample.response.messages as [FollowedMessage];
const { event } = getEventV1.sample.response;
const { id } = sample;

interface Story {
  account: { accountId: string; name: string };
  message: FollowedMessage;
  request: { audit: { actor: string; action: string }[] };
  job: { jobId: string; status: string } | null;
  webhooks: {
    events: { eventId: string; status: string | null }[];
    deliveries: { deliveryId: string; eventId: string; state: string }[];
    attempts: { deliveryId: string; attempt: number; statusCode: number | null }[];
  };
}

describe('ops messages show', () => {
  let gateway: GatewayUnderTest;
  let operator: OperatorUnderTest;
  let accountId: string;
  let message: FollowedMessage;

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['messaging', 'webhooks', 'jobs'] });
    operator = operatorOn(gateway);
    ({ accountId = '' } = await operator.json('accounts', 'create', '--name', 'Shop', '--plan', 'growth'));
  });
  beforeEach(() => {
    gateway.fakes.reset();
    message = { ...sample, accountId, createdAt: new Date().toISOString() };
    gateway.fakes.answer(showMessageV1, () => ({ messages: [message] }));
    gateway.fakes.answer(listEventsV1, ({ messageId }) =>
      messageId === 'wamid.OUT' ? listEventsV1.sample.response : { events: [], nextCursor: null },
    );
    const body = JSON.stringify({ event: 'message_status', status: 'delivered', to: '919812345678', id });
    gateway.fakes.answer(getEventV1, () => ({ event: { ...event, body } }));
  });
  afterAll(() => gateway.close());

  it('shows what all services know about a message', async () => {
    message.jobId = getJobV1.sample.response.job.jobId;
    await gateway.database.dataSource.query(
      "INSERT INTO audit_log (id, actor, action, account_id, target, details) VALUES ($3, 'user:usr_1', 'message.send', $1, $2, '{}')",
      [accountId, id, newId('aud')],
    );
    const story = await operator.json<Story>('messages', 'show', id);
    expect(story.account).toEqual({ accountId, name: 'Shop' });
    expect(story.message).toMatchObject({ id, upstreamId: 'wamid.OUT', statuses: sample.statuses });
    expect(story.request.audit).toMatchObject([{ actor: 'user:usr_1', action: 'message.send' }]);
    expect(story.job).toMatchObject({ jobId: message.jobId, status: getJobV1.sample.response.job.status });
    const [delivery] = event.deliveries;
    expect(story.webhooks).toMatchObject({
      events: [{ eventId: event.id, status: 'delivered' }],
      deliveries: [{ deliveryId: delivery?.id, eventId: event.id, state: delivery?.state }],
      attempts: [{ deliveryId: delivery?.id, attempt: 1, statusCode: 500 }],
    });
    expect(
      gateway.fakes
        .of(listEventsV1)
        .map(({ messageId }) => messageId)
        .sort(),
    ).toEqual([id, 'wamid.OUT']);
    for (const asked of gateway.fakes.of(getEventV1)) expect(asked['accountId']).toBe(accountId);
  });

  it('finds a message by its upstream id', async () => {
    expect((await operator.json<Story>('messages', 'show', 'wamid.OUT')).message.id).toBe(id);
    expect(gateway.fakes.of(showMessageV1)).toEqual([{ id: 'wamid.OUT' }]);
  });

  it('prints tables without bodies and full phone numbers', async () => {
    const { code, out } = await operator.run(['messages', 'show', id]);
    expect(code).toBe(0);
    expect(out).toMatch(/status +at +afterMs\n/);
    expect(out).toMatch(/deliveryId +attempt +startedAt +durationMs +statusCode +errorClass\n/);
    expect(out).toContain(`name: Shop`);
    expect(out).toContain('to: …5678');
    expect(out).not.toContain('919812345678');
    expect(out).not.toContain('out of order');
  });

  it('shows a message whose job was deleted', async () => {
    message.jobId = getJobV1.sample.response.job.jobId;
    gateway.fakes.answer(getJobV1, () => {
      throw new AppError('NOT_FOUND');
    });
    expect((await operator.json<Story>('messages', 'show', id)).job).toBeNull();
  });

  it('reports an unknown message', async () => {
    gateway.fakes.answer(showMessageV1, () => ({ messages: [] }));
    const { code, err } = await operator.run(['messages', 'show', id]);
    expect([code, err]).toEqual([
      1,
      `error: not found: no account has a message ${id}, or it was deleted (NOT_FOUND)\n`,
    ]);
  });

  it.each(['msg_1', 'acc_01jd0000000000000000000000', '919812345678', 'wamid.'])(
    'rejects %s as an id',
    async (given) => {
      const { code, err } = await operator.run(['messages', 'show', given]);
      expect([code, err]).toEqual([1, `error: "${given}" is no id: give msg_… or wamid.… (INVALID_PARAMETER)\n`]);
      expect(gateway.fakes.of(showMessageV1)).toEqual([]);
    },
  );

  it('requires the internal id if the upstream id is ambiguous', async () => {
    const other = { ...message, id: 'msg_01jd0000000000000000000001', accountId: 'acc_01jd0000000000000000000001' };
    gateway.fakes.answer(showMessageV1, () => ({ messages: [message, other] }));
    const { err } = await operator.run(['messages', 'show', 'wamid.OUT']);
    expect(err).toContain(`give one of: ${id} of ${accountId}, ${other.id} of ${other.accountId}`);
  });

  it('names the unavailable service', async () => {
    gateway.fakes.answer(listEventsV1, () => {
      throw new AppError('UNAVAILABLE');
    });
    const { err } = await operator.run(['messages', 'show', id]);
    expect(err).toContain('the webhooks service does not answer');
  });
});
