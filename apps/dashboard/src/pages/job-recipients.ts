/** A list of phones that somebody pasted: one a line, or between commas, as an address book or a sheet gives them. */
export function phonesIn(text: string): string[] {
  return text
    .split(/[\n,;\t]+/)
    .map((part) => part.replace(/[\s().-]/g, '').replace(/^\+/, ''))
    .filter((phone) => phone !== '');
}
