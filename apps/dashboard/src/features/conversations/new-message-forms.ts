import type { Schemas } from '../../api/client';
import { countText } from '../../lib/formats';
import { isRecipient, isUserId, recipientsIn } from '../../lib/recipients';
import type { Message } from '../messages/shared/message-parts';

export interface ButtonsForm {
  body: string;
  footer: string;
  buttons: readonly string[];
}

export interface ListRow {
  title: string;
  description: string;
}

export interface ListSection {
  title: string;
  rows: readonly ListRow[];
}

export interface ListForm {
  body: string;
  footer: string;
  button: string;
  sections: readonly ListSection[];
}

export interface PlaceForm {
  latitude: string;
  longitude: string;
  name: string;
  address: string;
}

export interface CardForm {
  name: string;
  phone: string;
}

/** Form of each message type that the composer offers besides text, files and templates. */
export interface Forms {
  buttons: ButtonsForm;
  list: ListForm;
  location: PlaceForm;
  contact: CardForm;
}
export type Kind = keyof Forms;

export const TITLES: Record<Kind, string> = {
  buttons: 'Reply buttons',
  list: 'List',
  location: 'Location',
  contact: 'Contact card',
};

/** Conversation to which a message is sent. */
interface Target {
  contact: Schemas['ContactDetail'];
  phone: string;
  from: string | undefined;
  answers: Message | undefined;
}

export interface NewMessageProps {
  kind: Kind;
  target: Target;
  onClose(): void;
}

/** Errors by field, such as `buttons.0`. */
export type Faults = Readonly<Record<string, string>>;

/** Maximum lengths and numbers that the platform accepts. */
export const MOST = {
  body: 1_024,
  listBody: 4_096,
  footer: 60,
  button: 20,
  rowTitle: 24,
  rowDescription: 72,
  sectionTitle: 24,
  rows: 10,
  sections: 10,
  detail: 1_000,
} as const;
const MOST_DEGREES = { latitude: 90, longitude: 180 };
const DEGREES = /^-?\d{1,3}(\.\d{1,20})?$/;
const BOTH_DEGREES = /^\s*(-?\d{1,3}(?:\.\d{1,20})?)\s*,\s*(-?\d{1,3}(?:\.\d{1,20})?)\s*$/;

export const NEW_ROW: ListRow = { title: '', description: '' };
export const NEW_SECTION: ListSection = { title: '', rows: [NEW_ROW] };
export const NEW_FORMS: Forms = {
  buttons: { body: '', footer: '', buttons: ['', '', ''] },
  list: { body: '', footer: '', button: '', sections: [NEW_SECTION] },
  location: { latitude: '', longitude: '', name: '', address: '' },
  contact: { name: '', phone: '' },
};

/** Returns why a form cannot be sent, by field. */
export const faultsOf: { readonly [Of in Kind]: (form: Forms[Of]) => Faults } = {
  buttons: ({ body, footer, buttons }) => ({
    ...textFault('body', body, MOST.body),
    ...textFault('footer', footer, MOST.footer, true),
    ...Object.assign(
      {},
      ...buttons.map((title, at) => ({
        ...textFault(`buttons.${at}`, title, MOST.button, at > 0),
        ...repeatedFault(`buttons.${at}`, title, buttons.slice(0, at)),
      })),
    ),
  }),
  list: ({ body, footer, button, sections }) => ({
    ...textFault('body', body, MOST.listBody),
    ...textFault('footer', footer, MOST.footer, true),
    ...textFault('button', button, MOST.button),
    ...Object.assign(
      {},
      ...sections.flatMap(({ title, rows }, at) => [
        textFault(`sections.${at}.title`, title, MOST.sectionTitle, sections.length === 1),
        ...rows.flatMap((row, index) => [
          textFault(`sections.${at}.rows.${index}.title`, row.title, MOST.rowTitle),
          textFault(`sections.${at}.rows.${index}.description`, row.description, MOST.rowDescription, true),
        ]),
      ]),
    ),
  }),
  location: ({ latitude, longitude, name, address }) => ({
    ...degreesFault('latitude', latitude),
    ...degreesFault('longitude', longitude),
    ...textFault('name', name, MOST.detail, true),
    ...textFault('address', address, MOST.detail, true),
  }),
  contact: ({ name, phone }) => ({
    ...textFault('name', name, MOST.detail),
    ...(numberOf(phone) === undefined && { phone: 'Enter one phone number with its country code' }),
  }),
};

/**
 * Returns the content of a message, under the name of its type. Replies of the customer name a button or row by its
 * position, because texts may repeat.
 */
export const contentOf = {
  buttons: ({ body, footer, buttons }: ButtonsForm) => ({
    type: 'interactive' as const,
    interactive: {
      type: 'button' as const,
      body: { text: body },
      ...footerOf(footer),
      action: {
        buttons: buttons
          .filter((title) => title.trim() !== '')
          .map((title, at) => ({ type: 'reply' as const, reply: { id: `button_${at + 1}`, title: title.trim() } })),
      },
    },
  }),
  list: ({ body, footer, button, sections }: ListForm) => {
    const before = (at: number): number => sections.slice(0, at).reduce((sum, { rows }) => sum + rows.length, 0);
    return {
      type: 'interactive' as const,
      interactive: {
        type: 'list' as const,
        body: { text: body },
        ...footerOf(footer),
        action: {
          button: button.trim(),
          sections: sections.map(({ title, rows }, at) => ({
            ...(title.trim() !== '' && { title: title.trim() }),
            rows: rows.map((row, index) => ({
              id: `row_${before(at) + index + 1}`,
              title: row.title.trim(),
              ...(row.description.trim() !== '' && { description: row.description.trim() }),
            })),
          })),
        },
      },
    };
  },
  location: ({ latitude, longitude, name, address }: PlaceForm) => ({
    type: 'location' as const,
    location: {
      latitude: degreesOf(latitude),
      longitude: degreesOf(longitude),
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(address.trim() !== '' && { address: address.trim() }),
    },
  }),
  contact: ({ name, phone }: CardForm) => {
    const waId = numberOf(phone);
    return {
      type: 'contacts' as const,
      contacts: [
        {
          name: { formattedName: name.trim(), firstName: name.trim() },
          phones: [{ phone: waId === undefined ? phone : `+${waId}`, ...(waId !== undefined && { waId }) }],
        },
      ],
    };
  },
};

/** Splits coordinates that were copied from a map: `12.9716, 77.5946`. */
export function placeWith(form: PlaceForm, field: 'latitude' | 'longitude', typed: string): PlaceForm {
  const [, latitude, longitude] = BOTH_DEGREES.exec(typed) ?? [];
  return latitude === undefined || longitude === undefined
    ? { ...form, [field]: typed }
    : { ...form, latitude, longitude };
}

/** Returns whether nothing was entered. */
export const isUntouched = (kind: Kind, form: object): boolean =>
  JSON.stringify(form) === JSON.stringify(NEW_FORMS[kind]);

const footerOf = (footer: string) => footer.trim() !== '' && { footer: { text: footer } };

/** NaN until it is a number, so that the preview shows no map. */
const degreesOf = (text: string): number => (DEGREES.test(text.trim()) ? Number(text) : Number.NaN);

function numberOf(phone: string): string | undefined {
  const [number, another] = recipientsIn(phone.replace(/[().]/g, ''));
  const isOne = number !== undefined && another === undefined && isRecipient(number) && !isUserId(number);
  return isOne ? number : undefined;
}

function textFault(field: string, text: string, most: number, isOptional = false): Faults {
  if (text.trim() === '') return isOptional ? {} : { [field]: 'Enter a text' };
  return text.length <= most ? {} : { [field]: `Use at most ${countText(most)} characters` };
}

function repeatedFault(field: string, title: string, before: readonly string[]): Faults {
  const isRepeated = title.trim() !== '' && before.some((other) => other.trim() === title.trim());
  return isRepeated ? { [field]: 'Another button has this text' } : {};
}

function degreesFault(field: keyof typeof MOST_DEGREES, text: string): Faults {
  const most = MOST_DEGREES[field];
  return Math.abs(degreesOf(text)) <= most ? {} : { [field]: `Enter degrees from -${most} to ${most}` };
}
