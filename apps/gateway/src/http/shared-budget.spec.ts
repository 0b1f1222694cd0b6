import { SharedBudget } from './shared-budget';

describe('a shared budget', () => {
  let gone: string[];
  const holding = (owner: string, name = owner) => ({ owner, giveUp: () => void gone.push(name) });
  beforeEach(() => (gone = []));

  it('lets everybody hold up to the limit', () => {
    const budget = new SharedBudget({ most: 10, mostPerOwner: 10 });
    budget.hold(holding('a'), 4);
    budget.hold(holding('b'), 6);
    expect(gone).toEqual([]);
  });

  it('takes from the owner that holds the most, what it has held the longest', () => {
    const budget = new SharedBudget({ most: 10, mostPerOwner: 10 });
    budget.hold(holding('a', 'a1'), 3);
    budget.hold(holding('a', 'a2'), 3);
    budget.hold(holding('b'), 5);
    expect(gone).toEqual(['a1']);
  });

  it('holds one owner to its own share', () => {
    const budget = new SharedBudget({ most: 100, mostPerOwner: 5 });
    budget.hold(holding('a', 'a1'), 3);
    budget.hold(holding('b'), 3);
    budget.hold(holding('a', 'a2'), 3);
    expect(gone).toEqual(['a1']);
  });

  it('a holding grows, and gives way itself when it alone is too much', () => {
    const budget = new SharedBudget({ most: 100, mostPerOwner: 5 });
    const growing = holding('a');
    budget.hold(growing, 3);
    budget.hold(growing, 3);
    expect(gone).toEqual(['a']);
    budget.hold(holding('a', 'next'), 5);
    expect(gone).toEqual(['a']);
  });

  it('forgets what was released, however often', () => {
    const budget = new SharedBudget({ most: 5, mostPerOwner: 5 });
    const first = holding('a');
    budget.hold(first, 5);
    budget.release(first);
    budget.release(first);
    budget.hold(holding('b'), 5);
    expect(gone).toEqual([]);
  });
});
