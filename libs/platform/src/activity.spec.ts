import { Activity } from './activity';

const QUARTER_MINUTE_MS = 15_000;

describe('Activity', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is idle a quarter of a minute after the last work', () => {
    const activity = new Activity();
    activity.connected(() => undefined);
    jest.advanceTimersByTime(QUARTER_MINUTE_MS - 1);
    activity.note();
    jest.advanceTimersByTime(QUARTER_MINUTE_MS - 1);
    expect(activity.isIdle).toBe(false);
    jest.advanceTimersByTime(1);
    expect(activity.isIdle).toBe(true);
  });

  it('is never idle while it cannot hear other processes', () => {
    const activity = new Activity();
    jest.advanceTimersByTime(QUARTER_MINUTE_MS);
    expect(activity.isIdle).toBe(false);
    activity.connected(() => undefined);
    activity.disconnected();
    jest.advanceTimersByTime(QUARTER_MINUTE_MS);
    expect(activity.isIdle).toBe(false);
  });

  it('ends the rests when an idle service gets work', () => {
    const activity = new Activity();
    const ended: string[] = [];
    activity.onWork(() => ended.push('own'))();
    activity.onWork(() => ended.push('work'));
    activity.connected(() => undefined);
    activity.heard();
    expect(ended).toEqual([]);
    jest.advanceTimersByTime(QUARTER_MINUTE_MS);
    activity.heard();
    activity.heard();
    expect(ended).toEqual(['work']);
  });

  it('notifies other processes at once, then every five seconds', () => {
    const activity = new Activity();
    let notices = 0;
    activity.connected(() => (notices += 1));
    expect(notices).toBe(1);
    jest.advanceTimersByTime(4_999);
    activity.note();
    expect(notices).toBe(1);
    jest.advanceTimersByTime(1);
    activity.note();
    expect(notices).toBe(2);
  });
});
