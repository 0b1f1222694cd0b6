import { FairQueue } from './fair-queue';

const endpoint = (id: string, accountId = `acc-${id}`) => ({ id, accountId });
const idsOf = (turns: { id: string }[]) => turns.map(({ id }) => id);

describe('the waiting line', () => {
  it('gives each endpoint its turn once, however often it was named', () => {
    const line = new FairQueue({ perEndpoint: 3, total: 100 });
    for (let count = 0; count < 5; count += 1) line.expect(endpoint('a'));
    line.expect(endpoint('b'));
    expect(line.takeTurns(10)).toEqual([
      { id: 'a', accountId: 'acc-a', atMost: 3 },
      { id: 'b', accountId: 'acc-b', atMost: 3 },
    ]);
    expect(line.takeTurns(10)).toEqual([]);
  });

  it('goes on with what is left as soon as a place is free', () => {
    const line = new FairQueue({ perEndpoint: 2, total: 100 });
    for (let count = 0; count < 3; count += 1) line.expect(endpoint('a'));
    const [turn] = line.takeTurns(1);
    if (!turn) throw new Error('no turn');
    line.claimed(turn, 2, 2);
    expect(line.takeTurns(1)).toEqual([]);
    line.release(turn);
    expect(line.takeTurns(1)).toEqual([{ ...turn, atMost: 1 }]);
  });

  it('takes turns over the accounts: a thousand endpoints of one do not go before one of another', () => {
    const line = new FairQueue({ perEndpoint: 3, total: 1_000 });
    for (let number = 0; number < 1_000; number += 1) line.expect(endpoint(`big-${number}`, 'big'));
    line.expect(endpoint('small'));
    expect(idsOf(line.takeTurns(4))).toEqual(['big-0', 'small', 'big-1', 'big-2']);
  });

  it('leaves three quarters of the process to others when everything of one account hangs', () => {
    const line = new FairQueue({ perEndpoint: 3, total: 40 });
    for (let number = 0; number < 100; number += 1) line.expect(endpoint(`stuck-${number}`, 'stuck'));
    for (let turns = line.takeTurns(100); turns.length > 0; turns = line.takeTurns(100))
      for (const turn of turns) line.claimed(turn, turn.atMost, 3);
    expect(line.inFlight).toBe(10);
    line.expect(endpoint('healthy'));
    expect(idsOf(line.takeTurns(10))).toEqual(['healthy']);
  });

  it('goes on with an account that had no room once one of its requests has ended', () => {
    const line = new FairQueue({ perEndpoint: 1, total: 4 });
    line.expect(endpoint('a', 'acc'));
    line.expect(endpoint('b', 'acc'));
    const [first] = line.takeTurns(10);
    if (!first) throw new Error('no turn');
    line.claimed(first, 1, 1);
    expect(line.takeTurns(10)).toEqual([]);
    line.release(first);
    expect(idsOf(line.takeTurns(10))).toContain('b');
  });

  it('never has more in flight than the process may', () => {
    const line = new FairQueue({ perEndpoint: 3, total: 5 });
    for (let number = 0; number < 10; number += 1) line.expect(endpoint(`e-${number}`));
    const turns = line.takeTurns(10);
    expect(turns.reduce((sum, { atMost }) => sum + atMost, 0)).toBeLessThanOrEqual(5);
  });

  it('takes the limit that the endpoint has now', () => {
    const line = new FairQueue({ perEndpoint: 1, total: 100 });
    line.expect(endpoint('a'));
    const [turn] = line.takeTurns(1);
    if (!turn) throw new Error('no turn');
    line.claimed(turn, 1, 10);
    line.expect(endpoint('a'));
    expect(line.takeTurns(1)).toEqual([{ ...turn, atMost: 9 }]);
  });

  it('knows a bounded number of endpoints, and new ones again once some are done', () => {
    const line = new FairQueue({ perEndpoint: 1, total: 1_000_000 });
    for (let number = 0; number < 30_000; number += 1) line.expect(endpoint(`e-${number}`, 'account'));
    const known = (): number => (Reflect.get(line, 'places') as Map<string, unknown>).size;
    expect(known()).toBe(20_000);
    for (const turn of line.takeTurns(100)) line.claimed(turn, 0);
    line.expect(endpoint('new'));
    expect(known()).toBe(19_901);
  });
});
