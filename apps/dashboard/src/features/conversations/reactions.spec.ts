import type { Message } from '../messages/shared/message-parts';
import { withReactions } from './reactions';

const message = (id: string, fields: Partial<Message> = {}): Message =>
  ({ id, message_id: `wamid.${id}`, direction: 'inbound', type: 'text', status: 'received', ...fields }) as Message;
const reaction = (id: string, to: string, emoji: string, fields: Partial<Message> = {}): Message =>
  message(id, { type: 'reaction', reaction: { messageId: `wamid.${to}`, emoji }, ...fields });

const shown = (all: Message[]) => {
  const { messages, reactions } = withReactions(all);
  return { messages: messages.map(({ id }) => id), at: reactions.get('wamid.a') ?? [] };
};

describe('reactions in a thread', () => {
  it('are attached to their message, the newest per side', () => {
    const ours = { direction: 'outbound', status: 'sent' } as const;
    const all = [message('a'), reaction('b', 'a', '👍'), reaction('c', 'a', '🎉'), reaction('d', 'a', '❤️', ours)];
    expect(shown(all)).toEqual({
      messages: ['a'],
      at: [
        { emoji: '🎉', isOurs: false },
        { emoji: '❤️', isOurs: true },
      ],
    });
  });

  it('disappear when withdrawn', () => {
    expect(shown([message('a'), reaction('b', 'a', '👍'), reaction('c', 'a', '')])).toEqual({
      messages: ['a'],
      at: [],
    });
  });

  it('stay in the thread when they failed or their message is missing', () => {
    const failed = reaction('b', 'a', '👍', { direction: 'outbound', status: 'failed' });
    expect(shown([message('a'), failed, reaction('c', 'older', '👍')])).toEqual({ messages: ['a', 'b', 'c'], at: [] });
  });
});
