import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { Replies } from './replies';

interface Sent {
  address: string;
  content: string;
  type?: string;
  correlationId?: string;
}

/** Returns a channel that records publishes and fails for the address `broken`. */
function openChannel() {
  const sent: Sent[] = [];
  const acked: string[] = [];
  const channel = {
    publish: (
      _exchange: string,
      address: string,
      content: Buffer,
      { type, correlationId }: Partial<Sent>,
      onConfirm?: () => void,
    ) => {
      if (address === 'broken') throw new Error('cannot be encoded');
      sent.push({ address, content: content.toString(), type, correlationId });
      if (onConfirm) setImmediate(onConfirm);
    },
    ack: ({ properties }: ConsumeMessage) => acked.push(String(properties.correlationId)),
  };
  return { sent, acked, replies: new Replies(channel as unknown as ConfirmChannel, 'replies') };
}

const command = (id: string, replyTo: string | undefined, headers = { 'x-reads-groups': true }): ConsumeMessage =>
  ({ properties: { correlationId: id, replyTo, headers } }) as unknown as ConsumeMessage;

describe('Replies', () => {
  it('groups short replies per caller and acknowledges every command', async () => {
    const { sent, acked, replies } = openChannel();
    const long = JSON.stringify('x'.repeat(5_000));
    await Promise.all([
      replies.answer(command('a', 'gateway'), { content: '{"n":1}' }),
      replies.answer(command('b', 'otp'), { content: '{}' }),
      replies.answer(command('c', 'gateway'), { content: long }),
      replies.answer(command('d', undefined), { content: '{}' }),
      replies.answer(command('e', 'gateway'), { content: '{"code":"INTERNAL"}', type: 'error' }),
    ]);
    expect(sent.map(({ address, type, correlationId }) => [address, type, correlationId])).toEqual([
      ['gateway', 'replies', undefined],
      ['otp', undefined, 'b'],
      ['gateway', undefined, 'c'],
    ]);
    expect(JSON.parse(sent[0]?.content ?? '')).toEqual([
      { id: 'a', body: { n: 1 } },
      { id: 'e', type: 'error', body: { code: 'INTERNAL' } },
    ]);
    expect(sent[2]?.content).toBe(long);
    expect(acked.sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('sends the remaining replies when one cannot be sent', async () => {
    const { sent, acked, replies } = openChannel();
    const outcomes = await Promise.allSettled([
      replies.answer(command('a', 'broken'), { content: '{}' }),
      replies.answer(command('b', 'gateway'), { content: '{}' }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(sent).toMatchObject([{ address: 'gateway', correlationId: 'b' }]);
    expect(acked).toEqual(['b']);
  });

  it('announces all commands accepted during one round trip together', async () => {
    const { sent, replies } = openChannel();
    await Promise.all(['a', 'b'].map((id) => replies.announce(command(id, 'gateway'))));
    await replies.announce(command('c', 'gateway', { 'x-reads-groups': false }));
    expect(sent).toEqual([
      { address: 'gateway', content: '["a","b"]', type: 'taken-notes', correlationId: undefined },
      { address: 'gateway', content: '', type: 'taken', correlationId: 'c' },
    ]);
  });
});
