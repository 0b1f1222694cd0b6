import { isRecipient, recipientOf, recipientsIn } from './recipients';

describe('recipientsIn', () => {
  it.each([
    ['accepts one number per line', '919812345678\n919812345679\n', ['919812345678', '919812345679']],
    ['drops blanks, dashes and plus', '+91 98123-45678\r\n91\u00a098123\u201345679', ['919812345678', '919812345679']],
    [
      'keeps brackets, whose digit may not belong to the number',
      '+44 (0)7911 123456\n919800001027.0',
      ['44(0)7911123456', '919800001027.0'],
    ],
    [
      'splits at commas, semicolons and tabs',
      '919812345678, 919812345679;919812345670\t12',
      ['919812345678', '919812345679', '919812345670', '12'],
    ],
    ['keeps invalid entries, so that their errors are shown', 'Asha\n++1', ['Asha', '+1']],
    [
      'keeps user ids as written, whose dash would name another person',
      ' US.1349120\nUS.ENT.11-5 ,919812345678',
      ['US.1349120', 'US.ENT.11-5', '919812345678'],
    ],
    ['ignores blanks', ' \n ,\n', []],
  ])('%s', (_title, text, recipients) => expect(recipientsIn(text)).toEqual(recipients));
});

it.each([
  [' +91 98123-45678 ', '919812345678'],
  ['US.ENT.11-5 ', 'US.ENT.11-5'],
  ['++1', '+1'],
])('recipientOf cleans "%s" to "%s"', (text, recipient) => expect(recipientOf(text)).toBe(recipient));

it.each([
  ['919812345678', true],
  ['US.13491208655302741918', true],
  ['US.ENT.11815799212886844830', true],
  ['us.1', false],
  ['US.1-2', false],
  ['1234567', false],
])('%s is a recipient: %s', (text, is) => expect(isRecipient(text)).toBe(is));
