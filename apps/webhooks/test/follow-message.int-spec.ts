import { messageReceivedV1, newId } from '@switchboard/contracts';
import { startTracing } from '@switchboard/platform';
import {
  eventually,
  type Receiver,
  recordingLogger,
  startCollector,
  startReceiver,
  type TraceCollector,
} from '@switchboard/testing';
import { Harness } from './harness';

const SENT_BY = '0af7651916cd43dd8448eb211c80319c';
const SEND_TRACE = `00-${SENT_BY}-b7ad6b7169203331-01`;

describe('delivery attempt', () => {
  const { logger, lines } = recordingLogger();
  let collector: TraceCollector;
  let stopTracing: () => Promise<void>;
  let harness: Harness;
  let receiver: Receiver;
  const attemptsAbout = (messageId: string) =>
    lines.filter((line) => line['msg'] === 'delivery.attempted' && line['messageId'] === messageId);

  beforeAll(async () => {
    collector = await startCollector();
    stopTracing = await startTracing('webhooks', collector.url);
    harness = await Harness.prepare();
    await harness.startService({}, logger);
    receiver = await startReceiver();
  }, 60_000);
  afterAll(async () => {
    await harness.stop();
    await receiver.close();
    await stopTracing();
    await collector.close();
  }, 60_000);

  it('logs both ids of the message', async () => {
    const { accountId } = await harness.account(receiver);
    const [id, received] = [newId('msg'), newId('msg')];
    await harness.report(accountId, { id, upstreamId: 'wamid.OUT' });
    await harness.others.publish(messageReceivedV1, { ...messageReceivedV1.sample, accountId, id: received });
    await eventually(() => expect(attemptsAbout(id)).toMatchObject([{ upstreamId: 'wamid.OUT', statusCode: 200 }]));
    await eventually(() => expect(attemptsAbout(received)).toMatchObject([{ upstreamId: 'wamid.IN' }]));
  });

  it('logs no upstream id when the message has none', async () => {
    const { accountId } = await harness.account(receiver);
    const id = newId('msg');
    await harness.report(accountId, { id, upstreamId: id });
    await eventually(() => expect(attemptsAbout(id).length).toBe(1));
    expect(attemptsAbout(id)[0]).not.toHaveProperty('upstreamId');
  });

  it('logs the ids when another process stored the event', async () => {
    const { accountId } = await harness.account(receiver, (_request, response) => void response.writeHead(500).end());
    const id = newId('msg');
    await harness.report(accountId, { id, upstreamId: 'wamid.AGAIN' });
    await eventually(() => expect(attemptsAbout(id).length).toBe(1));
    await harness.stopService();
    await harness.startService({}, logger);
    await harness.makeDue(accountId);
    await eventually(() => expect(attemptsAbout(id).length).toBe(2));
    expect(attemptsAbout(id)[1]).toMatchObject({ upstreamId: 'wamid.AGAIN', attempt: 2 });
  });

  it('creates a span linked to the trace of the send', async () => {
    const { accountId } = await harness.account(receiver);
    const id = newId('msg');
    await harness.report(accountId, { id, sendTrace: SEND_TRACE });
    await eventually(() => {
      const own = collector.spans.filter(({ attributes }) => attributes['messageId'] === id);
      expect(own).toMatchObject([{ name: 'webhook attempt', links: [SENT_BY] }]);
      expect(own[0]?.traceId).not.toBe(SENT_BY);
    });
    expect(collector.spans.filter(({ links }) => links.includes(SENT_BY))).toHaveLength(1);
  });
});
