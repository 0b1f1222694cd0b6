import { variablesOf } from './template-variables';

describe('variablesOf', () => {
  it.each([
    [undefined, []],
    ['Hello', []],
    ['Order {{1}} ships on {{2}}.', ['1', '2']],
    ['{{1}} and {{1}} again', ['1']],
    ['{{ first_name }} {{last_name}}', ['first_name', 'last_name']],
    ['{{}} {1} {{ }}', []],
  ])('finds in %j the variables %j', (given, names) => expect(variablesOf(given)).toEqual(names));
});
