/** `{{1}}`, `{{first_name}}`, or a number. */
const OF_BODY = /^(?:\{\{\s*([a-z0-9_]+)\s*\}\}|([0-9]{1,3}))$/;
/** `header {{1}}`, `header 1`, and the parts of a file, a location or a product. `media` is an alias of `link`. */
const OF_HEADER =
  /^header\s+(?:\{\{\s*([a-z0-9_]+)\s*\}\}|([0-9]{1,3}|link|media|filename|latitude|longitude|name|address|product|catalog))$/;
const OF_OFFER = /^offer\s+end$/;
/** `button 1`, counted from 1 among all buttons of the template. */
const OF_BUTTON = /^button\s+0*([1-9][0-9]?)$/;
/** `card 1 ` followed by a column of the card. Cards are counted from 1. */
const OF_CARD = /^card\s+0*([1-9][0-9]?)\s+(\S.*)$/;

/**
 * Returns the key, in lowercase, of the variable that a spreadsheet column fills, as in `templateVariables`. Returns
 * undefined for any other column.
 */
export function keyOfColumn(title: string): string | undefined {
  const name = title.trim().toLowerCase();
  const [, card, inCard = ''] = OF_CARD.exec(name) ?? [];
  if (card === undefined) return keyOfPart(name);
  const key = keyOfPart(inCard);
  return key === undefined ? undefined : `card ${card} ${key}`;
}

function keyOfPart(name: string): string | undefined {
  const body = OF_BODY.exec(name);
  if (body) return body[1] ?? body[2];
  const header = OF_HEADER.exec(name);
  // A variable of the text may be named `media`; only the plain name is an alias.
  if (header?.[2] === 'media') return 'header link';
  if (header) return `header ${header[1] ?? header[2] ?? ''}`;
  if (OF_OFFER.test(name)) return 'offer end';
  const button = OF_BUTTON.exec(name);
  return button ? `button ${button[1] ?? ''}` : undefined;
}
