import { givenRecipients } from './given-recipients';

it('accepts phone numbers and objects without checking values', () => {
  expect(
    givenRecipients(
      [
        '919812345678',
        { to: '12', clientRef: 'a' },
        { to: '3', variables: ['A'] },
        { to: '4', components: [], more: 1 },
      ],
      10,
    ),
  ).toEqual([
    { position: 0, phone: '919812345678' },
    { position: 1, phone: '12', clientRef: 'a' },
    { position: 2, phone: '3', variables: ['A'] },
    { position: 3, phone: '4', components: [] },
  ]);
});

it('treats a null clientRef as absent', () =>
  expect(givenRecipients([{ to: '919812345678', clientRef: null }], 1)).toEqual([
    { position: 0, phone: '919812345678' },
  ]));

it.each([
  [
    919812345678,
    '919812345678',
    'INVALID_PARAMETER',
    'a recipient must be a phone number or user id in quotes, or an object',
  ],
  [true, 'true', 'INVALID_PARAMETER', 'a recipient must be a phone number or user id in quotes, or an object'],
  [null, 'null', 'INVALID_PARAMETER', 'a recipient must be a phone number or user id in quotes, or an object'],
  [['1'], '["1"]', 'INVALID_PARAMETER', 'a recipient must be a phone number or user id in quotes, or an object'],
  [{}, '', 'MISSING_FIELD', 'to is required'],
  [{ to: true }, 'true', 'INVALID_PARAMETER', 'to must be a string'],
  [{ to: 1 }, '1', 'INVALID_PARAMETER', 'to must be a string'],
  [{ to: '1', clientRef: 1 }, '1', 'INVALID_PARAMETER', 'clientRef must be a string'],
  [{ to: '1'.repeat(1_000), clientRef: 1 }, '1'.repeat(136), 'INVALID_PARAMETER', 'clientRef must be a string'],
  [
    { to: '1', clientRef: 'x'.repeat(129) },
    '1',
    'TEXT_TOO_LONG',
    'clientRef must be shorter than or equal to 128 characters',
  ],
  [{ to: '1', variables: 'A' }, '1', 'INVALID_PARAMETER', 'variables must be an array or an object'],
  [{ to: '1', variables: Array(501).fill('A') }, '1', 'INVALID_VALUE', 'variables must have at most 500 entries'],
  [
    { to: '1', variables: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`v${i}`, 'A'])) },
    '1',
    'INVALID_VALUE',
    'variables must have at most 500 entries',
  ],
  [{ to: '1', components: {} }, '1', 'INVALID_PARAMETER', 'components must be an array'],
  [
    { to: '1', components: [], variables: [] },
    '1',
    'INVALID_PARAMETER',
    'a recipient must have variables or components, not both',
  ],
])('reports only %p as an invalid row', (value, phone, code, message) => {
  expect(givenRecipients([value, '919812345678'], 2)).toEqual([
    { position: 0, phone, fault: { code, message } },
    { position: 1, phone: '919812345678' },
  ]);
});

it.each([
  [undefined, 'MISSING_FIELD', 'recipients is required'],
  ['919812345678', 'INVALID_PARAMETER', 'recipients must be an array'],
  [['1', '2', '3'], 'BULK_LIMIT_EXCEEDED', 'too many recipients for your plan: 3 given, 2 allowed'],
])('rejects %p', (value, code, message) =>
  expect(() => givenRecipients(value, 2)).toThrow(expect.objectContaining({ code, message })),
);
