import { buttonOf } from '../shared/button-form';
import { cardLike } from '../shared/card-form';
import type { TemplateForm } from '../shared/template-form';

export const FORMATS = [
  ['MESSAGE', 'Message'],
  ['CAROUSEL', 'Carousel'],
  ['OFFER', 'Offer'],
  ['CATALOG', 'Catalog'],
  ['PRODUCTS', 'Products'],
  ['PRODUCT', 'Product'],
] as const;
export type Format = (typeof FORMATS)[number][0];

export const FORMAT_HINTS: Record<Format, string> = {
  MESSAGE: 'Text with an optional header, footer and buttons.',
  CAROUSEL: 'Text with 2 to 10 scrollable image or video cards.',
  OFFER: 'A limited-time offer with a copyable code and a link.',
  CATALOG: 'Text with a button that opens your catalog.',
  PRODUCTS: 'Text with a button that opens products from your catalog. Each send chooses the products.',
  PRODUCT: 'A product from your catalog, with text and a button that opens it. Each send chooses the product.',
};

/** Header formats that each template format allows. Disallowed parts of a draft stay visible, with an error. */
export const HEADERS_OF: Record<Format, readonly TemplateForm['header'][]> = {
  MESSAGE: ['NONE', 'TEXT', 'IMAGE', 'VIDEO', 'GIF', 'DOCUMENT', 'LOCATION'],
  CAROUSEL: [],
  OFFER: ['NONE', 'IMAGE', 'VIDEO'],
  CATALOG: [],
  PRODUCTS: ['NONE', 'TEXT'],
  PRODUCT: ['PRODUCT'],
};
export const HAS_FOOTER: readonly Format[] = ['MESSAGE', 'CATALOG', 'PRODUCTS', 'PRODUCT'];

/** Derives the format from the parts of a template. */
export function formatOf(form: Pick<TemplateForm, 'header' | 'cards' | 'offer' | 'buttons'>): Format {
  const { header, cards, offer, buttons } = form;
  if (cards.length > 0) return 'CAROUSEL';
  if (offer !== null) return 'OFFER';
  if (buttons.some(({ type }) => type === 'CATALOG')) return 'CATALOG';
  if (buttons.some(({ type }) => type === 'MPM')) return 'PRODUCTS';
  return header === 'PRODUCT' || buttons.some(({ type }) => type === 'SPM') ? 'PRODUCT' : 'MESSAGE';
}

/** Returns whether a change of format would discard user input. */
export function losesParts(form: TemplateForm, format: Format): boolean {
  const { header, footer, buttons, cards, offer } = form;
  const hasCards = cards.some(({ headerFile, body }) => headerFile !== '' || body !== '');
  const hasButtons = buttons.some(
    ({ type, value }) =>
      type !== 'CATALOG' &&
      type !== 'MPM' &&
      type !== 'SPM' &&
      (value !== '' || type === 'QUICK_REPLY' || type === 'REQUEST_CONTACT_INFO'),
  );
  const hasFooter = footer !== '' && !HAS_FOOTER.includes(format);
  // A product header contains no user input.
  const hasHeader = header !== 'PRODUCT' && !keepsHeader(header, format);
  return hasCards || hasButtons || hasFooter || hasHeader || (offer?.text ?? '') !== '';
}

const keepsHeader = (header: TemplateForm['header'], format: Format): boolean =>
  header === 'NONE' || HEADERS_OF[format].includes(header);

/** Returns the form changes for another format. The body stays. */
export function toFormat(form: TemplateForm, format: Format): Partial<TemplateForm> {
  const { header, footer } = form;
  const first = [cardLike([])];
  return {
    ...(!keepsHeader(header, format) && { header: 'NONE', headerText: '', headerSample: '', headerFile: '' }),
    ...(format === 'PRODUCT' && { header: 'PRODUCT' }),
    footer: HAS_FOOTER.includes(format) ? footer : '',
    cards: format === 'CAROUSEL' ? [...first, cardLike(first)] : [],
    offer: format === 'OFFER' ? { text: '', ends: true } : null,
    buttons: buttonsOf(format),
  };
}

function buttonsOf(format: Format): TemplateForm['buttons'] {
  if (format === 'OFFER') return [buttonOf('COPY_CODE'), buttonOf('URL')];
  if (format === 'CATALOG') return [buttonOf('CATALOG', 'View catalog')];
  if (format === 'PRODUCT') return [buttonOf('SPM', 'View')];
  return format === 'PRODUCTS' ? [buttonOf('MPM', 'View items')] : [];
}
