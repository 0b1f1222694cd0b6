import { isPhone, maskPhone } from './phone';

describe('isPhone', () => {
  it.each(['12345678', '919812345678', '123456789012345'])('accepts %s', (text) => expect(isPhone(text)).toBe(true));
  it.each(['', '1234567', '0123456789', '+919812345678', '91 9812345678', '1234567890123456', '٩١٩٨١٢٣٤٥٦٧٨', '12345678\n'])(
    'refuses %j',
    (text) => expect(isPhone(text)).toBe(false),
  );
});

it('maskPhone keeps four digits', () => expect(maskPhone('919812345678')).toBe('…5678'));
