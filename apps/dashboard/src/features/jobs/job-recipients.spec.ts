import { phonesIn } from './job-recipients';
import { speedOf } from './job-speed';

describe('phonesIn', () => {
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
    ['ignores blanks', ' \n ,\n', []],
  ])('%s', (_title, text, phones) => expect(phonesIn(text)).toEqual(phones));
});

describe('job speed', () => {
  const seen = (...done: [at: number, done: number][]) => done.map(([at, of]) => ({ jobId: 'job_1', at, done: of }));

  it('covers several seconds and includes the remaining time', () => {
    expect(speedOf(seen([0, 0], [10_000, 420]), 2_520)).toBe('42 per second, about 1 min left');
    expect(speedOf(seen([0, 0], [10_000, 420]), 42)).toBe('42 per second, less than a minute left');
    expect(speedOf(seen([0, 0], [10_000, 5]), 600)).toBe('Less than 1 per second, about 20 min left');
  });

  it('needs enough data', () => {
    for (const little of [seen(), seen([0, 4]), seen([0, 0], [2_000, 50]), seen([0, 50], [10_000, 50])])
      expect(speedOf(little, 10)).toBeUndefined();
  });
});
