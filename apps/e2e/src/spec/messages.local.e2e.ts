import { eventually } from '@switchboard/testing';
import { randomUUID } from 'node:crypto';
import { type Answer, get, post } from '../support/api';
import { demo } from '../support/demo';
import { contactWithOpenWindow, receivedUpstream } from '../support/simulator';

const RECORD = [
  ...['id', 'message_id', 'messageId', 'direction', 'from', 'to', 'name', 'type', 'text', 'caption', 'status', 'error', 'jobId', 'clientRef'],
  ...['timestamp', 'createdAt', 'sentAt', 'deliveredAt', 'readAt', 'failedAt'],
];
const LIMIT = 4_096;

describe('chapters 3 and 5: messages and their records', () => {
  let to: string;

  beforeAll(async () => {
    to = await contactWithOpenWindow();
  }, 90_000);

  const sendText = (body: string, more: object = {}): Promise<Answer> => post('/messages/send', { to, type: 'text', text: { body }, ...more });
  const recordOf = async (id: unknown): Promise<Record<string, unknown>> =>
    ((await get(`/messages?phone=${to}&limit=100`)).body['messages'] as Record<string, unknown>[]).find((message) => message['id'] === id) ?? {};

  it('1.3.2 message_id is the identifier of the upstream platform, and id stands beside it', async () => {
    const { body } = await sendText('which one?');
    expect(body).toMatchObject({ message_id: expect.stringMatching(/^wamid\./) as string, id: expect.stringMatching(/^msg_/) as string });
    expect((await receivedUpstream(to)).map(({ wamid }) => wamid)).toContain(body['message_id']);
  });

  it('3.1.5 without from the primary number of the account sends', async () => {
    const { body } = await sendText('from whom?');
    expect(await recordOf(body['id'])).toMatchObject({ from: demo.phoneNumber });
  });

  it('3.2.1 a text of 4,096 characters is sent as it is', async () => {
    const longest = 'x'.repeat(LIMIT);
    const { status, body } = await sendText(longest);
    expect(status).toBe(200);
    expect(await recordOf(body['id'])).toMatchObject({ text: { body: longest } });
    expect((await receivedUpstream(to)).find(({ wamid }) => wamid === body['message_id'])).toMatchObject({ body: { text: { body: longest } } });
  });

  it('3.1.7 a clientRef comes back in the record', async () => {
    const clientRef = randomUUID();
    const { body } = await sendText('my reference', { clientRef });
    expect(await recordOf(body['id'])).toMatchObject({ clientRef });
  });

  it('5.1.1 a record has exactly the documented fields', async () => {
    const { body } = await sendText('a record');
    expect(Object.keys(await recordOf(body['id'])).sort()).toEqual([...RECORD].sort());
  });

  it('5.2.1 a message moves from accepted to read, and every state keeps its time', async () => {
    const { body } = await sendText('all the way');
    expect(body['status']).toBe('accepted');
    const record = await eventually(async () => {
      const found = await recordOf(body['id']);
      expect(found).toMatchObject({ status: 'read' });
      return found;
    });
    const times = ['sentAt', 'deliveredAt', 'readAt'].map((name) => String(record[name]));
    expect(times).toEqual([...times].sort());
  });
});
