import { canonicalPhone, isPhone, phoneFault, maskPhone, phoneSpellings } from './phone';

describe('isPhone', () => {
  it.each(['12345678', '919812345678', '123456789012345'])('accepts %s', (text) => expect(isPhone(text)).toBe(true));
  it.each([
    '',
    '1234567',
    '0123456789',
    '+919812345678',
    '91 9812345678',
    '1234567890123456',
    '٩١٩٨١٢٣٤٥٦٧٨',
    '12345678\n',
  ])('rejects %j', (text) => expect(isPhone(text)).toBe(false));
});

it('maskPhone shows only the last four digits', () => expect(maskPhone('919812345678')).toBe('…5678'));

it.each([
  ['5511987654321', ['551187654321', '5511987654321']],
  ['551187654321', ['551187654321', '5511987654321']],
  ['5215512345678', ['525512345678', '5215512345678']],
  ['525512345678', ['525512345678', '5215512345678']],
  ['5491112345678', ['541112345678', '5491112345678']],
  ['541112345678', ['541112345678', '5491112345678']],
  ['551133334444', ['551133334444']],
  ['919812345678', ['919812345678']],
])('phoneSpellings returns the formats of %s: %j', (phone, spellings) =>
  expect(phoneSpellings(phone)).toEqual(spellings),
);

describe('canonicalPhone', () => {
  it.each([
    ['Brazil, with and without the ninth digit', '5511987654321', '551187654321'],
    ['Mexico, with and without the 1', '5215512345678', '525512345678'],
    ['Argentina, with and without the 9', '5491123456789', '541123456789'],
  ])('is the same for %s', (_title, one, other) => {
    expect(canonicalPhone(one)).toBe(canonicalPhone(other));
  });

  it.each([
    ['landlines of Brazil, which have eight digits', '551132654321', '5511932654321'],
    ['numbers of other countries', '919812345678', '9198123456789'],
    ['numbers of Mexico of another length', '52155123456', '5255123456'],
    ['neighbouring numbers of one country', '5215512345678', '525512345679'],
  ])('distinguishes %s', (_title, one, other) => {
    expect(canonicalPhone(one)).not.toBe(canonicalPhone(other));
  });

  it.each(['15550783881', '919812345678', '4915112345678', '551132654321', '', 'US.10000000000000000001'])(
    'returns %j unchanged',
    (phone) => {
      expect(canonicalPhone(phone)).toBe(phone);
    },
  );
});

describe('phoneFault', () => {
  const WANTED = 'phone number format is invalid: digits only, with country code, without +';

  it.each([
    '+919812345679',
    '00919812345679',
    '+91 98123 45679',
    '+91 (98123) 456-79',
    '91.98123.45679',
    '\u202f+91\u00a098123\u201045679 ',
  ])('suggests a number for %j', (written) => {
    expect(phoneFault(written)).toBe(`${WANTED}; did you mean 919812345679?`);
  });

  it.each([
    ['919800001027.0', '919800001027'],
    ['+919800001027.00', '919800001027'],
    ['15550783881.0', '15550783881'],
    ['+1 555 078 3881', '15550783881'],
    ['+44 (0)7911 123456', '447911123456'],
    ['0044 (0) 7911 123456', '447911123456'],
    // The format in which a spreadsheet stores the number.
    ['44(0)7911123456', '447911123456'],
    ['+4407911123456', '447911123456'],
    ['+33 (0)6 12 34 56 78', '33612345678'],
    ['+49.15112345678', '4915112345678'],
    ['+52 1 55 1234 5678', '5215512345678'],
    // Italy keeps the zero.
    ['+39 (0)6 1234567', '39061234567'],
  ])('suggests for %j the number %s', (written, meant) => {
    expect(phoneFault(written)).toBe(`${WANTED}; did you mean ${meant}?`);
  });

  it.each([
    '919800001027.5',
    '4915112345678.25',
    '919800001027,0',
    '+1 (0) 212 555 1234',
    '91 98000 010270',
    '+91 98123 45679 ext. 5',
    '0791 1123456',
    '(415) 555-2671',
    '9.19800001027E+11',
  ])('suggests nothing for the ambiguous %j', (written) => {
    expect(phoneFault(written)).toBe(WANTED);
  });

  it.each([
    '',
    '12',
    'Asha',
    '098123456',
    '+1 (0) 2',
    '91981234567890123',
    '٩١٩٨١٢٣٤٥٦٧٩',
    `+91981234567${' '.repeat(40)}9`,
    '9'.repeat(1_000_000),
    ' '.repeat(1_000_000),
  ])('suggests nothing for invalid or oversized text', (written) => {
    expect(phoneFault(written)).toBe(WANTED);
  });
});
