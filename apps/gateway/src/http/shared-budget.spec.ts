import { SharedBudget } from './shared-budget';

describe('shared budget', () => {
  let gone: string[];
  const holding = (owner: string, name = owner) => ({ owner, giveUp: () => void gone.push(name) });
  beforeEach(() => (gone = []));

  it('admits holdings of all owners up to the limit', () => {
    const budget = new SharedBudget({ most: 10, mostPerOwner: 10 });
    budget.hold(holding('a'), 4);
    budget.hold(holding('b'), 6);
    expect(gone).toEqual([]);
  });

  it('evicts the oldest holding of the largest owner', () => {
    const budget = new SharedBudget({ most: 10, mostPerOwner: 10 });
    budget.hold(holding('a', 'a1'), 3);
    budget.hold(holding('a', 'a2'), 3);
    budget.hold(holding('b'), 5);
    expect(gone).toEqual(['a1']);
  });

  it('limits one owner to its own share', () => {
    const budget = new SharedBudget({ most: 100, mostPerOwner: 5 });
    budget.hold(holding('a', 'a1'), 3);
    budget.hold(holding('b'), 3);
    budget.hold(holding('a', 'a2'), 3);
    expect(gone).toEqual(['a1']);
  });

  it('evicts a growing holding that alone exceeds the budget', () => {
    const budget = new SharedBudget({ most: 100, mostPerOwner: 5 });
    const growing = holding('a');
    budget.hold(growing, 3);
    budget.hold(growing, 3);
    expect(gone).toEqual(['a']);
    budget.hold(holding('a', 'next'), 5);
    expect(gone).toEqual(['a']);
  });

  it('ignores repeated releases of a holding', () => {
    const budget = new SharedBudget({ most: 5, mostPerOwner: 5 });
    const first = holding('a');
    budget.hold(first, 5);
    budget.release(first);
    budget.release(first);
    budget.hold(holding('b'), 5);
    expect(gone).toEqual([]);
  });
});
