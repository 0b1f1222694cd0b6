import { MemoryRates } from './memory-rates';

const RATE = { limit: 2, windowMs: 60_000, burst: 2 };

describe('MemoryRates', () => {
  it('refunds only one counted request', () => {
    const rates = new MemoryRates(() => 0);
    const admitted = () => rates.take('client', RATE).admitted;
    expect([admitted(), admitted(), admitted()]).toEqual([true, true, false]);
    rates.refund('client', RATE);
    expect([admitted(), admitted()]).toEqual([true, false]);
    for (let times = 0; times < 5; times += 1) rates.refund('client', RATE);
    expect(rates.debtOf('client')).toBe(0);
    expect([admitted(), admitted(), admitted()]).toEqual([true, true, false]);
  });
});
