import { bytesKeptBy } from '@switchboard/testing';
import type { DataSource } from 'typeorm';
import { EventBodies } from './event-bodies';

const MIB = 1024 * 1024;
const TEXT_BYTES = 12 * 1024;

/** Fails on any query, because bodies must come from memory. */
const noDatabase = {} as unknown as DataSource;

describe('EventBodies', () => {
  const fill = (bodies: EventBodies, count: number): EventBodies => {
    for (let index = 0; index < count; index += 1)
      bodies.remember(`evt_${index}`, { body: Buffer.alloc(TEXT_BYTES, 'x'), trace: { traceparent: '00' } });
    return bodies;
  };

  it('uses at most 32 MiB with 8,000 of the longest texts', async () => {
    const bytes = await bytesKeptBy(() => fill(new EventBodies(noDatabase), 8_000));
    expect(bytes).toBeGreaterThan(20 * MIB);
    expect(bytes).toBeLessThan(40 * MIB);
  });

  it('uses at most 32 MiB with very many short texts', async () => {
    const bytes = await bytesKeptBy(() => {
      const bodies = new EventBodies(noDatabase);
      for (let index = 0; index < 300_000; index += 1)
        bodies.remember(`evt_${index}`, { body: Buffer.from('{"event":"message"}'), trace: {} });
      return bodies;
    });
    expect(bytes).toBeLessThan(40 * MIB);
  });

  it('evicts bodies after 30 seconds', async () => {
    let nowMs = 1_000;
    const bodies = new EventBodies(noDatabase, { now: () => nowMs });
    const bytes = await bytesKeptBy(() => {
      fill(bodies, 2_000);
      nowMs += 40_000;
      return fill(bodies, 1);
    });
    expect(bytes).toBeLessThan(MIB);
  });

  it('keeps the newest bodies', async () => {
    const bodies = fill(new EventBodies(noDatabase), 8_000);
    expect((await bodies.of(['evt_7999'])).get('evt_7999')?.body).toHaveLength(TEXT_BYTES);
    await expect(bodies.of(['evt_0'])).rejects.toThrow('no connection to the database');
  });
});
