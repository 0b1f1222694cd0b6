import { Customers } from '../customers/customers';
import { InboundLog } from '../messages/inbound-log';
import { MessageLog } from '../messages/message-log';
import { Typing } from '../messages/typing';
import { NumberStore } from '../numbers/number-store';
import type { World } from '../world';
import { listConversations, readConversation } from './conversations';

const AT = '2026-03-02T10:15:00.000Z';

describe('conversations whose messages have the same millisecond', () => {
  const messages = new MessageLog();
  const inbound = new InboundLog();
  const customers = new Customers();
  const numbers = new NumberStore();
  const world = { messages, inbound, typing: new Typing(), customers, numbers } as World;
  const write = (from: string, place: number): void =>
    inbound.add({
      phoneNumberId: '1',
      from,
      name: 'Asha',
      message: { id: `in_${place}`, from, type: 'text', timestamp: '1772446500' },
      writtenAt: AT,
      place,
    });
  write('919812345678', 0);
  messages.add(
    {
      wamid: 'out_1',
      phoneNumberId: '1',
      to: '919812345678',
      byUserId: false,
      misrouted: false,
      type: 'text',
      body: {},
      acceptedAt: AT,
      place: 1,
      status: 'accepted',
      statuses: [],
    },
    2,
  );
  write('15550002222', 2);

  it('keep the order of messages in a conversation', () =>
    expect(readConversation(world, '919812345678').messages.map(({ id }) => id)).toEqual(['in_0', 'out_1']));

  it('list the numbers that block the customer', () => {
    const [number] = numbers.all();
    expect(readConversation(world, '919812345678').blockedBy).toEqual([]);
    customers.blocked.block(number!.id, '919812345678');
    expect(readConversation(world, '919812345678').blockedBy).toEqual([number!.displayDigits]);
    expect(readConversation(world, '15550002222').blockedBy).toEqual([]);
  });

  it('are listed in the order of their messages', () =>
    expect(listConversations(world).map(({ last }) => last.id)).toEqual(['in_2', 'out_1']));

  it('name the business number of each conversation', () => {
    const [number] = numbers.all();
    const own = { ...world, inbound: new InboundLog(), messages: new MessageLog() } as World;
    own.inbound.add({
      phoneNumberId: number!.id,
      from: '15550002222',
      name: 'Asha',
      message: { id: 'in_3', from: '15550002222', type: 'text', timestamp: '1772446500' },
      writtenAt: AT,
      place: 3,
    });
    expect(listConversations(own).map((one) => one.number)).toEqual([number!.displayDigits]);
    expect(listConversations(world).map((one) => one.number)).toEqual([undefined, undefined]);
  });
});
