import { FairQueue } from './fair-queue';

const endpoint = (id: string, accountId = `acc-${id}`) => ({ id, accountId });
const idsOf = (turns: { id: string }[]) => turns.map(({ id }) => id);

describe('FairQueue', () => {
  it('gives each endpoint one turn, however often it is enqueued', () => {
    const line = new FairQueue({ perEndpoint: 3, total: 100 });
    for (let count = 0; count < 5; count += 1) line.enqueue(endpoint('a'));
    line.enqueue(endpoint('b'));
    expect(line.takeTurns(10)).toEqual([
      { id: 'a', accountId: 'acc-a', atMost: 3 },
      { id: 'b', accountId: 'acc-b', atMost: 3 },
    ]);
    expect(line.takeTurns(10)).toEqual([]);
  });

  it('continues with the rest once a slot is free', () => {
    const line = new FairQueue({ perEndpoint: 2, total: 100 });
    for (let count = 0; count < 3; count += 1) line.enqueue(endpoint('a'));
    const [turn] = line.takeTurns(1);
    if (!turn) throw new Error('no turn');
    line.claimed(turn, 2, 2);
    expect(line.takeTurns(1)).toEqual([]);
    line.release(turn);
    expect(line.takeTurns(1)).toEqual([{ ...turn, atMost: 1 }]);
  });

  it('alternates between accounts with any number of endpoints', () => {
    const line = new FairQueue({ perEndpoint: 3, total: 1_000 });
    for (let number = 0; number < 1_000; number += 1) line.enqueue(endpoint(`big-${number}`, 'big'));
    line.enqueue(endpoint('small'));
    expect(idsOf(line.takeTurns(4))).toEqual(['big-0', 'small', 'big-1', 'big-2']);
  });

  it('leaves three quarters of the slots free when one account hangs', () => {
    const line = new FairQueue({ perEndpoint: 3, total: 40 });
    for (let number = 0; number < 100; number += 1) line.enqueue(endpoint(`stuck-${number}`, 'stuck'));
    for (let turns = line.takeTurns(100); turns.length > 0; turns = line.takeTurns(100))
      for (const turn of turns) line.claimed(turn, turn.atMost, 3);
    expect(line.inFlight).toBe(10);
    line.enqueue(endpoint('healthy'));
    expect(idsOf(line.takeTurns(10))).toEqual(['healthy']);
  });

  it('resumes an account at its limit once a request ends', () => {
    const line = new FairQueue({ perEndpoint: 1, total: 4 });
    line.enqueue(endpoint('a', 'acc'));
    line.enqueue(endpoint('b', 'acc'));
    const [first] = line.takeTurns(10);
    if (!first) throw new Error('no turn');
    line.claimed(first, 1, 1);
    expect(line.takeTurns(10)).toEqual([]);
    line.release(first);
    expect(idsOf(line.takeTurns(10))).toContain('b');
  });

  it('never exceeds the process limit', () => {
    const line = new FairQueue({ perEndpoint: 3, total: 5 });
    for (let number = 0; number < 10; number += 1) line.enqueue(endpoint(`e-${number}`));
    const turns = line.takeTurns(10);
    expect(turns.reduce((sum, { atMost }) => sum + atMost, 0)).toBeLessThanOrEqual(5);
  });

  it('applies the current limit of the endpoint', () => {
    const line = new FairQueue({ perEndpoint: 1, total: 100 });
    line.enqueue(endpoint('a'));
    const [turn] = line.takeTurns(1);
    if (!turn) throw new Error('no turn');
    line.claimed(turn, 1, 10);
    line.enqueue(endpoint('a'));
    expect(line.takeTurns(1)).toEqual([{ ...turn, atMost: 9 }]);
  });

  it('tracks a bounded number of endpoints and accepts new ones later', () => {
    const line = new FairQueue({ perEndpoint: 1, total: 1_000_000 });
    for (let number = 0; number < 30_000; number += 1) line.enqueue(endpoint(`e-${number}`, 'account'));
    const known = (): number => (Reflect.get(line, 'places') as Map<string, unknown>).size;
    expect(known()).toBe(20_000);
    for (const turn of line.takeTurns(100)) line.claimed(turn, 0);
    line.enqueue(endpoint('new'));
    expect(known()).toBe(19_901);
  });
});
