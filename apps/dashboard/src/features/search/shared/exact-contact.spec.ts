import { exactContact } from './exact-contact';

const contact = (id: string, name: string | null, phone: string | null = null, username: string | null = null) => ({
  id,
  name,
  phone,
  username,
  userId: null,
});
const among = (text: string, ...contacts: object[]): string | undefined =>
  exactContact({ contacts: contacts as unknown as never }, text)?.id;

describe('exact contact of a search', () => {
  const asha = contact('ct_1', 'Asha Rao', '919812345678', 'asha.rao');
  const jose = contact('ct_2', 'José Ärger', '919812345679');

  it.each(['asha  RAO', 'Asha', '@asha.rao', '+919812345678'])('finds the contact by %j', (text) => {
    expect(among(text, jose, asha)).toBe('ct_1');
  });

  it('ignores accents', () => expect(among('jose arger', asha, jose)).toBe('ct_2'));

  it('prefers a whole name to a word of another name', () =>
    expect(among('asha', asha, contact('ct_3', 'Asha'))).toBe('ct_3'));

  it.each([
    ['a part of a word', 'Ash', [asha]],
    ['a word of several names', 'Asha', [asha, contact('ct_3', 'Asha Sen')]],
    ['an empty text', ' ', [asha]],
  ])('returns none for %s', (_what, text, contacts) => expect(among(text, ...contacts)).toBeUndefined());

  it('returns none while contacts are unavailable', () =>
    expect(exactContact({ contacts: null }, 'Asha')).toBeUndefined());
});
