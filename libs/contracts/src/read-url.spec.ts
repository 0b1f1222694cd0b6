import { readUrl } from './read-url';

describe('readUrl', () => {
  it('takes an address with an umlaut the ten thousandth time as well, and refuses what is none', () => {
    const texts = Array.from({ length: 10_000 }, () => 'https://bücher.example.com/ü');
    expect(new Set(texts.map((text) => readUrl(text)?.href))).toEqual(
      new Set(['https://xn--bcher-kva.example.com/%C3%BC']),
    );
    expect(readUrl('no address')).toBeUndefined();
  });
});
