import type { JobRow, MessageContent } from '@switchboard/contracts';
import { rowOf } from './audience-rows';

type Values = NonNullable<MessageContent['template']>['variables'];

const rowWith = (name: string | null, nameVariables: string[], variables?: Values): JobRow => {
  const template = { name: 'order_update', language: { code: 'en_US' }, variables };
  return rowOf({ recipient: '919812345678', name }, 3, { nameVariables, message: { type: 'template', template } });
};

describe('rows of an audience', () => {
  it('fill the name variables with the name', () =>
    expect(rowWith('Asha R', ['1', 'first_name'])).toEqual({
      position: 3,
      phone: '919812345678',
      variables: { '1': 'Asha R', first_name: 'Asha R' },
    }));

  it('have the other values of the template beside the name', () =>
    expect(rowWith('Asha R', ['1'], { '1': 'customer', '2': 'Monday' }).variables).toEqual({
      '1': 'Asha R',
      '2': 'Monday',
    }));

  it('have only the name beside a list of values', () =>
    expect(rowWith('Asha R', ['1'], ['customer']).variables).toEqual({ '1': 'Asha R' }));

  it('write a name on one line', () => expect(rowWith(' Asha\n\t  R ', ['1']).variables).toEqual({ '1': 'Asha R' }));

  it.each([null, '', ' \n '])('have no values for the name %j', (name) =>
    expect(rowWith(name, ['1'], { '1': 'customer' })).toEqual({ position: 3, phone: '919812345678' }),
  );

  it('have no values without name variables', () =>
    expect(rowWith('Asha R', [], { '1': 'customer' })).toEqual({ position: 3, phone: '919812345678' }));
});
