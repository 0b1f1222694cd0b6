import { sizeText } from './size-text';

it.each([
  [512, '512 bytes'],
  [16_384, '16 KB'],
  [1_048_575, '1023.9 KB'],
  [1_048_576, '1 MB'],
  [6_291_456, '6 MB'],
  [6_291_457, '6 MB'],
  [6_553_600, '6.2 MB'],
  [67_108_864, '64 MB'],
])('writes %i bytes as %s', (bytes, text) => expect(sizeText(bytes)).toBe(text));
