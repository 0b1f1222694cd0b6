import { bytesKeptBy } from '@switchboard/testing';
import type { DataSource } from 'typeorm';
import { EventBodies } from './event-bodies';

const MIB = 1024 * 1024;
const TEXT_BYTES = 12 * 1024;

/** Answers no question: what is asked for must be remembered. */
const noDatabase = {} as unknown as DataSource;

describe('the bodies of events that were recorded a moment ago', () => {
  const fill = (bodies: EventBodies, count: number): EventBodies => {
    for (let index = 0; index < count; index += 1)
      bodies.remember(`evt_${index}`, { body: Buffer.alloc(TEXT_BYTES, 'x'), trace: { traceparent: '00' } });
    return bodies;
  };

  it('take no more than 32 MiB, with 8,000 of the longest texts', async () => {
    const bytes = await bytesKeptBy(() => fill(new EventBodies(noDatabase), 8_000));
    expect(bytes).toBeGreaterThan(20 * MIB);
    expect(bytes).toBeLessThan(40 * MIB);
  });

  it('take no more than 32 MiB, with very many very short ones', async () => {
    const bytes = await bytesKeptBy(() => {
      const bodies = new EventBodies(noDatabase);
      for (let index = 0; index < 300_000; index += 1)
        bodies.remember(`evt_${index}`, { body: Buffer.from('{"event":"message"}'), trace: {} });
      return bodies;
    });
    expect(bytes).toBeLessThan(40 * MIB);
  });

  it('are forgotten after half a minute', async () => {
    let nowMs = 1_000;
    const bodies = new EventBodies(noDatabase, { now: () => nowMs });
    const bytes = await bytesKeptBy(() => {
      fill(bodies, 2_000);
      nowMs += 40_000;
      return fill(bodies, 1);
    });
    expect(bytes).toBeLessThan(MIB);
  });

  it('are the newest ones', async () => {
    const bodies = fill(new EventBodies(noDatabase), 8_000);
    expect((await bodies.of(['evt_7999'])).get('evt_7999')?.body).toHaveLength(TEXT_BYTES);
    await expect(bodies.of(['evt_0'])).rejects.toThrow('no connection to the database');
  });
});
