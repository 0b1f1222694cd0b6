const LEAST_CHARACTERS = 2;
const MOST_CHARACTERS = 256;
const MOST_TEXT_CHARACTERS = 100;

/** Accents, vowel points and invisible characters, which searches ignore. The API has the same rule. */
const MARKS = /(?=[\p{sc=Inherited}\p{sc=Arabic}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Syriac}])\p{Mn}|[\p{Cf}\u0640]/gu;

const withoutBlanks = (text: string): string => text.replace(/[+\s]/g, '');
const lettersOf = (text: string): number =>
  Array.from(withoutBlanks(text).normalize('NFKD').replace(MARKS, '').normalize('NFC')).length;

/** Returns whether a text has enough characters for a search, and not too many. */
export const isSearchable = (text: string): boolean =>
  lettersOf(text) >= LEAST_CHARACTERS && Array.from(text).length <= MOST_CHARACTERS;

/** Returns whether message texts can be searched for a text. */
export const isMessageText = (text: string): boolean =>
  isSearchable(text) && Array.from(withoutBlanks(text)).length <= MOST_TEXT_CHARACTERS;
