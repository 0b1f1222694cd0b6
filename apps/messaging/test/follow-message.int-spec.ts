import { showMessageV1, newId } from '@switchboard/contracts';
import { currentTraceId, extractTrace, inSpan, startTracing } from '@switchboard/platform';
import { eventually, recordingLogger, startCollector, type TraceCollector } from '@switchboard/testing';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

describe('message tracing', () => {
  const { logger, lines } = recordingLogger();
  let collector: TraceCollector;
  let stopTracing: () => Promise<void>;
  let messaging: RunningMessaging;
  let account: TestAccount;
  const linesAbout = (id: string, text: string) =>
    lines.filter(({ msg, messageId, messageIds }) => {
      const isAbout = messageId === id || (Array.isArray(messageIds) && messageIds.includes(id));
      return msg === text && isAbout;
    });
  const traceOf = async (id: string): Promise<string | null> => {
    const sql = 'SELECT send_trace FROM messages WHERE id = $1';
    const [row] = await messaging.dataSource.query<{ send_trace: string | null }[]>(sql, [id]);
    return row?.send_trace ?? null;
  };
  const report = (id: string, status: string) =>
    messaging.callback(account.phoneNumberId, {
      statuses: [{ id: `wamid.${id}`, status, timestamp: '1790416830', biz_opaque_callback_data: id }],
    });

  beforeAll(async () => {
    collector = await startCollector();
    messaging = await startMessaging({ logger });
    account = await messaging.addAccount();
    await messaging.writeIn(account);
  });
  afterAll(async () => {
    await messaging.stop();
    await stopTracing();
    await collector.close();
  });

  it('logs the ids with the send and its statuses', async () => {
    const id = newId('msg');
    const { upstreamId } = await messaging.send(account.accountId, { text: { body: 'Hello' } }, id);
    await report(id, 'delivered');
    await eventually(() => expect(linesAbout(id, 'statuses.applied').length).toBe(1));
    expect(linesAbout(id, 'message.accepted')).toMatchObject([{ upstreamId }]);
    expect(linesAbout(id, 'status.applied')).toMatchObject([
      { upstreamId: `wamid.${id}`, accountId: account.accountId, status: 'delivered', before: 'accepted' },
    ]);
  });

  it('finds a message by either id, without its content', async () => {
    const id = newId('msg');
    const { upstreamId } = await messaging.send(account.accountId, { text: { body: 'A secret word' } }, id);
    const byId = await messaging.gateway.request(showMessageV1, { id });
    expect(byId.messages).toMatchObject([
      { id, upstreamId, accountId: account.accountId, to: '…5678', type: 'text', sendAttempts: 1, template: null },
    ]);
    expect(byId.messages[0]?.statuses.map(({ status }) => status)).toEqual(['accepted']);
    expect(JSON.stringify(byId)).not.toContain('secret');
    expect(await messaging.gateway.request(showMessageV1, { id: upstreamId })).toEqual(byId);
    expect(await messaging.gateway.request(showMessageV1, { id: newId('msg') })).toEqual({ messages: [] });
  });

  it('logs the id with the callback that delivered it', async () => {
    const upstreamId = `wamid.${newId('msg')}`;
    const text = { from: '919812345699', id: upstreamId, timestamp: '1790416830', type: 'text', text: { body: 'Hi' } };
    await messaging.callback(account.phoneNumberId, { messages: [text] });
    const { messages } = await eventually(async () => {
      const found = await messaging.list(account.accountId, { upstreamId });
      expect(found.messages.length).toBe(1);
      return found;
    });
    await eventually(() => expect(linesAbout(messages[0]?.id ?? '', 'callback.applied').length).toBe(1));
  });

  it('logs the upstream id of a status without a message', async () => {
    const id = newId('msg');
    await report(id, 'read');
    await eventually(() =>
      expect(lines.filter(({ msg }) => msg === 'status.parked')).toMatchObject([
        { upstreamId: `wamid.${id}`, accountId: account.accountId, status: 'read' },
      ]),
    );
  });

  it('stores no trace without a collector', async () => {
    const stop = await startTracing('messaging');
    const id = newId('msg');
    const parent = extractTrace({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' });
    await inSpan('request', { parent }, () => messaging.send(account.accountId, { text: { body: 'Hello' } }, id));
    expect(await traceOf(id)).toBeNull();
    await stop();
  });

  it('links the status callback span to the send trace', async () => {
    stopTracing = await startTracing('messaging', collector.url);
    const id = newId('msg');
    const sentBy = await inSpan('request', {}, async () => {
      await messaging.send(account.accountId, { text: { body: 'Hello' } }, id);
      return currentTraceId();
    });
    expect(await traceOf(id)).toMatch(new RegExp(`^00-${sentBy}-[0-9a-f]{16}-01$`));
    await report(id, 'delivered');
    await eventually(() => {
      const linked = collector.spans.filter(({ links }) => links.includes(sentBy ?? ''));
      expect(linked.length).toBe(1);
      expect(linked[0]?.name).toContain('process ');
      expect(linked[0]?.traceId).not.toBe(sentBy);
    });
    const published = messaging.statusEvents.filter((event) => event.id === id);
    expect(published).toMatchObject([{ sendTrace: await traceOf(id) }]);
  });
});
