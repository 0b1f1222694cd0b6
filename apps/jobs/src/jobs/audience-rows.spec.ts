import { rowOf } from './audience-rows';

describe('rows of an audience', () => {
  const named = (name: string | null) => ({ recipient: '919812345678', name });

  it('fill the name variables with the name', () =>
    expect(rowOf(named('Asha R'), 3, ['1', 'first_name'])).toEqual({
      position: 3,
      phone: '919812345678',
      variables: { '1': 'Asha R', first_name: 'Asha R' },
    }));

  it('write a name on one line', () =>
    expect(rowOf(named(' Asha\n\t  R '), 0, ['1'])).toMatchObject({ variables: { '1': 'Asha R' } }));

  it.each([null, '', ' \n '])('have no values for the name %j', (name) =>
    expect(rowOf(named(name), 0, ['1'])).toEqual({ position: 0, phone: '919812345678' }),
  );

  it('have no values without name variables', () =>
    expect(rowOf(named('Asha R'), 0, [])).toEqual({ position: 0, phone: '919812345678' }));
});
