import { assertKey, assertPrefix } from './blob-key';

describe('assertKey', () => {
  it.each(['a', 'uploads/acc_1/med_2', 'inbound/acc_01jd/med_01.jpg', 'a-b/_c'])('accepts %s', (key) => {
    expect(() => assertKey(key)).not.toThrow();
  });

  it.each([
    '',
    '/',
    '.',
    '..',
    'a/',
    '/a',
    'a//b',
    'a/../b',
    '../a',
    'a/./b',
    'a/.hidden',
    'a\\..\\b',
    'a\0b',
    'a b',
    'é',
    'a/b\n',
    'x'.repeat(129),
    'a/b/c/d/e/f/g/h/i',
  ])('rejects %j', (key) => {
    expect(() => assertKey(key)).toThrow(TypeError);
  });
});

describe('assertPrefix', () => {
  it.each(['uploads/', 'uploads/acc_1/'])('accepts %s', (prefix) => {
    expect(() => assertPrefix(prefix)).not.toThrow();
  });

  it.each(['', '/', 'uploads', '../', 'a/../', 'a//'])('rejects %j', (prefix) => {
    expect(() => assertPrefix(prefix)).toThrow(TypeError);
  });
});
