import { faultOfRow, fillVariables } from './row-components';

const template = { name: 'a', language: 'en_US', category: 'UTILITY', bodyVariables: ['1', '2'] };
const named = { ...template, bodyVariables: ['first_name'] };
const codeOf = (filled: ReturnType<typeof fillVariables>): string | undefined =>
  'fault' in filled ? filled.fault.code : undefined;

describe('variables', () => {
  it('replace the body and leave the rest', () => {
    const own = [
      { type: 'BODY', parameters: [] },
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text' as const, text: 'x' }] },
    ];
    expect(fillVariables(['A', 'B'], template, own)).toEqual({
      components: [
        own[1],
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'A' },
            { type: 'text', text: 'B' },
          ],
        },
      ],
    });
  });

  it('bear their names where the template has words for them', () => {
    expect(fillVariables({ first_name: 'Ana' }, named, [])).toEqual({
      components: [{ type: 'body', parameters: [{ type: 'text', parameter_name: 'first_name', text: 'Ana' }] }],
    });
  });

  it('of a template without any are none', () =>
    expect(fillVariables([], { ...template, bodyVariables: [] }, [])).toEqual({ components: [] }));

  it.each([
    [['A'], 'TEMPLATE_PARAMS_MISMATCH'],
    [{ '1': 'A' }, 'TEMPLATE_PARAMS_MISMATCH'],
    [{ '1': 'A', '2': '' }, 'TEMPLATE_PARAMS_MISMATCH'],
    [['A', 2], 'INVALID_PARAMETER'],
    [['A', 'x'.repeat(1_025)], 'TEXT_TOO_LONG'],
    [['A', 'a\u0000'], 'INVALID_VALUE'],
    [['A', 'two\nlines'], 'TEMPLATE_PARAMS_MISMATCH'],
  ])('%j are refused with %s', (variables, code) => expect(codeOf(fillVariables(variables, template, []))).toBe(code));

  it('are never what every object inherits', () =>
    expect(codeOf(fillVariables({}, { ...template, bodyVariables: ['constructor'] }, []))).toBe(
      'TEMPLATE_PARAMS_MISMATCH',
    ));
});

it.each([
  [{ phone: '919812345678' }, undefined],
  [{ phone: '+919812345678' }, 'INVALID_PHONE'],
  [{ phone: '919812345678', clientRef: 'x'.repeat(129) }, 'TEXT_TOO_LONG'],
  [{ phone: '919812345678', clientRef: '\u0000' }, 'INVALID_VALUE'],
  [{ phone: '12', fault: { code: 'FILE_INVALID', message: 'a date' } }, 'FILE_INVALID'],
])('a row %j is judged %s', (row, code) => expect(faultOfRow({ position: 0, ...row })?.code).toBe(code));
