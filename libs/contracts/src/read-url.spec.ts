import { readUrl } from './read-url';

describe('readUrl', () => {
  it('parses a URL with an umlaut repeatedly, and rejects invalid URLs', () => {
    const texts = Array.from({ length: 10_000 }, () => 'https://bücher.example.com/ü');
    expect(new Set(texts.map((text) => readUrl(text)?.href))).toEqual(
      new Set(['https://xn--bcher-kva.example.com/%C3%BC']),
    );
    expect(readUrl('no address')).toBeUndefined();
  });
});
