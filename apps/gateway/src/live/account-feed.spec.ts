import { AccountFeed } from './account-feed';

const dataOf = (text: string): unknown => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '') as unknown;
const idOf = (text: string): string => /^id: (.*)$/m.exec(text)?.[1] ?? '';

describe('account feed', () => {
  let sent: string[];
  let feed: AccountFeed;

  beforeEach(() => {
    jest.useFakeTimers({ now: 0, doNotFake: [] });
    sent = [];
    feed = new AccountFeed((text) => sent.push(text));
  });
  afterEach(() => {
    feed.close();
    jest.useRealTimers();
  });

  const noteAndSend = (id: string): string => {
    feed.note('message', [id]);
    jest.advanceTimersByTime(250);
    return idOf(sent.at(-1) ?? '');
  };

  it('sends the first change immediately and later ones every 250 ms', () => {
    feed.note('message', ['msg_1']);
    jest.advanceTimersByTime(1);
    expect(sent).toHaveLength(1);
    for (let id = 0; id < 5; id += 1) feed.note('message', [`msg_${id}`]);
    feed.note('webhook');
    jest.advanceTimersByTime(200);
    expect(sent).toHaveLength(1);
    jest.advanceTimersByTime(50);
    expect(sent).toHaveLength(2);
    expect(dataOf(sent[1] ?? '')).toMatchObject({
      changes: [{ kind: 'message', ids: ['msg_0', 'msg_1', 'msg_2', 'msg_3', 'msg_4'] }, { kind: 'webhook' }],
    });
  });

  it('omits the ids of a kind after many changes or an unknown id', () => {
    for (let id = 0; id < 21; id += 1) feed.note('status', [`msg_${id}`]);
    feed.note('job', ['job_1']);
    feed.note('job');
    feed.note('job', ['job_2']);
    jest.advanceTimersByTime(1);
    expect(dataOf(sent[0] ?? '')).toMatchObject({ changes: [{ kind: 'status' }, { kind: 'job' }] });
    expect(sent[0]).not.toContain('ids');
  });

  it('returns the hints after a position that it retains', () => {
    const [first, second, third] = ['msg_1', 'msg_2', 'msg_3'].map(noteAndSend) as [string, string, string];
    expect(feed.after(first)).toEqual(sent.slice(1));
    expect(feed.after(second)).toEqual(sent.slice(2));
    expect(feed.after(third)).toEqual([]);
    expect(third).toBe(feed.position);
  });

  it('returns nothing for an unknown, future or expired position', () => {
    const start = feed.position;
    const first = noteAndSend('msg_0');
    expect(feed.after(start)).toHaveLength(1);
    for (let id = 0; id < 100; id += 1) noteAndSend(`msg_${id}`);
    expect(feed.after(start)).toBeUndefined();
    expect(feed.after(first)).toHaveLength(100);
    const future = feed.position.replace(/\d+$/, '9999');
    for (const id of ['', 'x', future, new AccountFeed(() => undefined).position])
      expect(feed.after(id)).toBeUndefined();
  });

  it('does not resume across a resync', () => {
    const before = noteAndSend('msg_1');
    feed.resync();
    expect(sent.at(-1)).toContain('event: resync');
    expect(feed.after(before)).toBeUndefined();
    expect(feed.after(feed.position)).toEqual([]);
  });
});
