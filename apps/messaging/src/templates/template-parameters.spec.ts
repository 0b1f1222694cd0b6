import { AppError, type TemplateComponent } from '@switchboard/contracts';
import { checkBodyParameters, countVariables } from './template-parameters';

const withBody = (text: string) => ({ components: [{ type: 'HEADER', text: 'Hi {{1}}' }, { type: 'BODY', text }] });
const body = (...texts: string[]): TemplateComponent => ({ type: 'body', parameters: texts.map((text) => ({ type: 'text' as const, text })) });

describe('countVariables', () => {
  it.each([
    ['', 0],
    ['Hello', 0],
    ['Order {{1}} ships on {{2}}.', 2],
    ['{{1}} and {{1}} again', 1],
    ['{{ first_name }} {{last_name}}', 2],
    ['{{}} {1} {{ }}', 0],
  ])('finds in %j the number of variables %d', (text, count) => {
    expect(countVariables(text)).toBe(count);
  });
});

describe('checkBodyParameters', () => {
  it('takes as many parameters as the body has variables, in one component or several, in either case', () => {
    expect(() => checkBodyParameters(withBody('{{1}} {{2}}'), { components: [body('a', 'b')] })).not.toThrow();
    expect(() => checkBodyParameters(withBody('{{1}} {{2}}'), { components: [body('a'), { ...body('b'), type: 'BODY' }] })).not.toThrow();
  });

  it('takes no components for a body without variables', () => {
    expect(() => checkBodyParameters(withBody('Hello'), {})).not.toThrow();
    expect(() => checkBodyParameters({ components: [] }, { components: [{ type: 'body' }] })).not.toThrow();
  });

  it('leaves headers and buttons out of the count', () => {
    expect(() => checkBodyParameters(withBody('Hello'), { components: [{ ...body('x'), type: 'button' }] })).not.toThrow();
  });

  it.each([
    ['{{1}} {{2}}', [body('a')], 2, 1],
    ['{{1}}', [], 1, 0],
    ['Hello', [body('a', 'b', 'c')], 0, 3],
  ])('refuses %j with other parameters, naming both figures', (text, components, expected, given) => {
    const message = `template parameters do not match the template: the body expects ${expected}, ${given} given`;
    expect(() => checkBodyParameters(withBody(text), { components })).toThrow(new AppError('TEMPLATE_PARAMS_MISMATCH', { message }));
  });
});
