/** Returns a text without case, accents and blanks. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\s]/gu, '')
    .toLowerCase()
    .normalize('NFKC');
}

/** Returns the part of a template name that a text may be, or undefined if no template name contains it. */
export function namePartIn(text: string): string | undefined {
  const part = foldText(text).replace(/[_-]/g, '');
  return /^[a-z0-9]{2,}$/.test(part) ? part : undefined;
}
