import { GatheredReads } from './gathered-reads';

describe('gathered reads', () => {
  const hashes = ['a', 'b', 'c'].map((text) => Buffer.from(text));
  const [a, b, c] = hashes as [Buffer, Buffer, Buffer];

  it('runs one query for concurrent reads', async () => {
    const asked: string[][] = [];
    const reads = new GatheredReads<string>(async (wanted) => {
      asked.push(wanted.map(String));
      return new Map([[b.toString('base64'), 'found']]);
    });
    await expect(Promise.all([a, b, c].map((hash) => reads.find(hash)))).resolves.toEqual([
      undefined,
      'found',
      undefined,
    ]);
    await expect(reads.find(b)).resolves.toBe('found');
    expect(asked).toEqual([['a', 'b', 'c'], ['b']]);
  });

  it('rejects all reads of a failed batch', async () => {
    let isAway = true;
    const reads = new GatheredReads<string>(async () => {
      if (isAway) throw new Error('database away');
      return new Map([[a.toString('base64'), 'found']]);
    });
    const outcomes = await Promise.allSettled([a, b].map((hash) => reads.find(hash)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    await expect(reads.find(a)).resolves.toBe('found');
  });
});
