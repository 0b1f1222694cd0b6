import { nameOfVariable, variablesOf } from './template-variables';

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

describe('nameOfVariable', () => {
  it.each([
    ['{{1}}', '1'],
    ['{{ first_name }}', 'first_name'],
    ['first_name', undefined],
    ['{{1}} and more', undefined],
    ['{{a-b}}', undefined],
  ])('finds in %j the name %j', (given, name) => expect(nameOfVariable(given)).toBe(name));
});
