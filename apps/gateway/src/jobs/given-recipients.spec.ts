import { givenRecipients } from './given-recipients';

it('takes phone numbers and objects, and leaves their values to be judged', () => {
  expect(givenRecipients(['919812345678', { to: '12', clientRef: 'a' }, { to: '3', variables: ['A'] }, { to: '4', components: [], more: 1 }], 10)).toEqual([
    { position: 0, phone: '919812345678' },
    { position: 1, phone: '12', clientRef: 'a' },
    { position: 2, phone: '3', variables: ['A'] },
    { position: 3, phone: '4', components: [] },
  ]);
});

it.each([
  [undefined, 'MISSING_FIELD', 'recipients is required'],
  ['919812345678', 'INVALID_PARAMETER', 'recipients must be an array'],
  [[919812345678], 'INVALID_PARAMETER', 'recipients.0 must be a phone number or an object'],
  [['1', null], 'INVALID_PARAMETER', 'recipients.1 must be a phone number or an object'],
  [[{}], 'MISSING_FIELD', 'recipients.0.to is required'],
  [[{ to: 1 }], 'INVALID_PARAMETER', 'recipients.0.to must be a string'],
  [[{ to: '1', clientRef: 1 }], 'INVALID_PARAMETER', 'recipients.0.clientRef must be a string'],
  [[{ to: '1', variables: 'A' }], 'INVALID_PARAMETER', 'recipients.0.variables must be an array or an object'],
  [[{ to: '1', variables: Array(101).fill('A') }], 'INVALID_VALUE', 'recipients.0.variables must have at most 100 entries'],
  [['2', { to: '1', variables: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`v${i}`, 'A'])) }], 'INVALID_VALUE', 'recipients.1.variables must have at most 100 entries'],
  [[{ to: '1', components: {} }], 'INVALID_PARAMETER', 'recipients.0.components must be an array'],
  [[{ to: '1', components: [], variables: [] }], 'INVALID_PARAMETER', 'recipients.0 must have variables or components, not both'],
  [['1', '2', '3'], 'BULK_LIMIT_EXCEEDED', 'too many recipients for your plan: 3 given, 2 allowed'],
])('refuses %p', (value, code, message) => expect(() => givenRecipients(value, 2)).toThrow(expect.objectContaining({ code, message })));
