import { getJobV1, setEndpointV1 } from '@switchboard/contracts';
import { isChannelClosed, Unconfirmed, UnconfirmedByContract } from './unconfirmed';

describe('unconfirmed publishes', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('report the oldest age in any confirm order', () => {
    const unconfirmed = new Unconfirmed();
    expect(unconfirmed.oldestMs()).toBe(0);
    const first = unconfirmed.add();
    jest.advanceTimersByTime(100);
    const second = unconfirmed.add();
    jest.advanceTimersByTime(50);
    expect(unconfirmed.oldestMs()).toBe(150);
    unconfirmed.remove(first);
    expect(unconfirmed.oldestMs()).toBe(50);
    unconfirmed.remove(second);
    expect([unconfirmed.oldestMs(), unconfirmed.size]).toEqual([0, 0]);
  });

  it('are tracked separately by contract', () => {
    const byContract = new UnconfirmedByContract();
    byContract.of(getJobV1).add();
    jest.advanceTimersByTime(100);
    expect(byContract.of(setEndpointV1).oldestMs()).toBe(0);
    expect(byContract.of(getJobV1).oldestMs()).toBe(100);
    expect(byContract.oldestMs()).toBe(100);
  });

  it('have distinct errors for a closed channel and a nack', () => {
    expect(isChannelClosed(new Error('channel closed'))).toBe(true);
    expect(isChannelClosed(new Error('message nacked'))).toBe(false);
    expect(isChannelClosed(null)).toBe(false);
  });
});
