const LEAST_CHARACTERS = 2;
const MOST_CHARACTERS = 256;
const MOST_TEXT_CHARACTERS = 100;

/** Returns whether a text is long enough for a search. */
export const isSearchable = (text: string): boolean =>
  Array.from(text.replace(/[+\s]/g, '')).length >= LEAST_CHARACTERS && Array.from(text).length <= MOST_CHARACTERS;

/** Returns whether message texts can be searched for a text. */
export const isMessageText = (text: string): boolean =>
  isSearchable(text) && Array.from(text.replace(/[+\s]/g, '')).length <= MOST_TEXT_CHARACTERS;
