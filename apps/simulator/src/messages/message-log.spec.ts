import { type AcceptedMessage, MessageLog } from './message-log';

const message = (wamid: string, opaque?: string, to = '15550002222'): AcceptedMessage => ({
  wamid,
  phoneNumberId: '1',
  to,
  byUserId: false,
  misrouted: false,
  type: 'text',
  body: {},
  opaque,
  acceptedAt: '',
  place: 0,
  status: 'accepted',
  statuses: [],
});

describe('MessageLog', () => {
  it('counts accepted messages per opaque id', () => {
    const log = new MessageLog();
    for (const [wamid, opaque] of [
      ['a', 'msg_1'],
      ['b', 'msg_2'],
      ['c', 'msg_1'],
      ['d', 'msg_1'],
      ['e', undefined],
    ] as const)
      log.add(message(wamid, opaque), 100);
    expect(log.summary()).toEqual({ accepted: 5, distinct: 2, doubled: 1, doubledIds: ['msg_1'] });
    expect(log.list({ limit: 9 }).map(({ wamid, count }) => `${wamid}${count}`)).toEqual([
      'e1',
      'd3',
      'c3',
      'b1',
      'a3',
    ]);
  });

  it('finds messages by recipient, opaque id and reference', () => {
    const log = new MessageLog();
    log.add(message('a', 'msg_1:order-7:x'), 100);
    log.add(message('b', 'msg_2', '15550003333'), 100);
    const found = (filter: object): string[] => log.list({ limit: 9, ...filter }).map(({ wamid }) => wamid);
    expect(found({ to: '+15550003333' })).toEqual(['b']);
    expect(found({ opaque: 'msg_2' })).toEqual(['b']);
    expect(found({ clientRef: 'order-7:x' })).toEqual(['a']);
    expect(found({ clientRef: 'msg_2' })).toEqual(['b']);
    expect(found({ clientRef: 'order' })).toEqual([]);
    expect(found({ limit: 1 })).toEqual(['b']);
  });

  it('keeps the newest 50,000 messages and the counts of older ones', () => {
    const log = new MessageLog();
    for (let index = 0; index < 50_010; index += 1) log.add(message(`w${index}`, `msg_${index}`), 100);
    const kept = log.list({ limit: 100_000 });
    expect([kept.length, kept[0]?.wamid, kept.at(-1)?.wamid]).toEqual([50_000, 'w50009', 'w10']);
    expect([log.countOf('msg_0'), log.summary().accepted]).toEqual([1, 50_010]);
  });
});
