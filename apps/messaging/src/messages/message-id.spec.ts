import { firstIdAt, newId, timeOfId } from '@switchboard/contracts';
import { TypeID } from 'typeid-js';
import { inboundMessageId, ORDERS } from './message-id';

const at = new Date('2026-03-02T10:15:04.120Z');
const message = { numberId: 'num_1', upstreamId: 'wamid.A', at };

describe('inbound message id', () => {
  it('contains the time in milliseconds', () => {
    const before = Date.now();
    const time = timeOfId('msg', newId('msg'))?.getTime() ?? 0;
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
    expect(timeOfId('msg', inboundMessageId(message))).toEqual(at);
  });

  it.each(['', 'msg_1', 'acc_01jd0000000000000000000000', 'msg_zzzzzzzzzzzzzzzzzzzzzzzzzz'])(
    'has no time if it is not an internal id: %j',
    (id) => {
      expect(timeOfId('msg', id)).toBeNull();
    },
  );

  it('is within the id bounds for its time', () => {
    const id = inboundMessageId(message);
    expect(id >= firstIdAt('msg', at.getTime())).toBe(true);
    expect(id < firstIdAt('msg', at.getTime() + 1)).toBe(true);
    expect(firstIdAt('msg', 0)).toBe('msg_00000000000000000000000000');
  });

  it('is deterministic and unique for each inbound message', () => {
    const ids = [
      message,
      { ...message, numberId: 'num_2' },
      { ...message, upstreamId: 'wamid.B' },
      { ...message, at: new Date(0) },
    ].map(inboundMessageId);
    expect(new Set(ids).size).toBe(4);
    expect(inboundMessageId({ ...message })).toBe(ids[0]);
  });

  it('keeps the order within the millisecond', () => {
    const orders = [0, 1, 255, 65_536, 2 ** 22 - 1, 2 ** 22, 2 ** 22 + 7, ORDERS - 1];
    const ids = orders.map((order, index) => inboundMessageId({ ...message, upstreamId: `wamid.${index}`, order }));
    expect(ids.toSorted()).toEqual(ids);
    expect(ids.map((id) => timeOfId('msg', id))).toEqual(orders.map(() => at));
    expect(TypeID.fromString(ids[6] ?? '').toUUID()).toMatch(/^[0-9a-f-]{14}7[0-9a-f]{3}-[89ab]/);
  });
});
