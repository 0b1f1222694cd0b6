import type { Fault } from './fault';
import { buttonsFaults } from './button-faults';
import { cardsOf, componentOf, isJson, type Json, listOf } from './draft-content';
import { bodyFaults, headerFaults } from './text-faults';

export const MIN_CARDS = 2;
export const MAX_CARDS = 10;
export const MAX_CARD_BODY = 160;
export const MAX_CARD_BUTTONS = 2;
export const CARD_HEADERS = ['IMAGE', 'VIDEO'];
export const CARD_BUTTON_TYPES = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER'];
const CARD_PARTS = ['HEADER', 'BODY', 'BUTTONS'];
/** WhatsApp documents this limit only for cards that are sent without a template. */
const MAX_CARD_LINE_BREAKS = 2;

/** Validates a carousel of media cards: each card, and that all cards have the same structure. */
export function carouselFaults(carousel: Json): Fault[] {
  const cards = cardsOf([carousel]);
  if (cards.length < MIN_CARDS || cards.length > MAX_CARDS)
    return [{ field: 'carousel.cards', message: `${MIN_CARDS} to ${MAX_CARDS} cards are needed` }];
  const faults = cards.flatMap((card, index) => faultsAt(`carousel.cards.${index}`, cardFaults(card)));
  const shape = shapeOf(cards[0] ?? []);
  const others = cards.flatMap((card, index) =>
    faultsAt(`carousel.cards.${index}`, shapeFaults(shapeOf(card), shape, faults.length > 0)),
  );
  return [...faults, ...others];
}

const faultsAt = (place: string, faults: readonly Fault[]): Fault[] =>
  faults.map(({ field, message }) => ({ field: `${place}.${field}`, message }));

function cardFaults(card: readonly Json[]): Fault[] {
  const [header, body, buttons] = CARD_PARTS.map((type) => componentOf(card, type));
  const unknown = card.flatMap(({ type }, index) =>
    CARD_PARTS.some((known) => known === type)
      ? []
      : [{ field: `components.${index}.type`, message: `must be one of ${CARD_PARTS.join(', ')}` }],
  );
  const types = card.map(({ type }) => type);
  const twice = types.some((type, index) => types.indexOf(type) < index);
  const isMedia = header !== undefined && CARD_HEADERS.some((format) => format === header.format);
  return [
    ...unknown,
    ...(twice ? [{ field: 'components', message: 'each part of a card can be given once' }] : []),
    ...(isMedia
      ? headerFaults(header)
      : [{ field: 'header.format', message: `a card needs a header: ${CARD_HEADERS.join(' or ')}` }]),
    ...(body ? cardBodyFaults(body) : []),
    // WhatsApp's documentation contradicts itself on whether a card needs a button. Requiring one is always valid.
    ...(buttons
      ? buttonsFaults(buttons, { types: CARD_BUTTON_TYPES, most: MAX_CARD_BUTTONS })
      : [{ field: 'buttons', message: `1 to ${MAX_CARD_BUTTONS} buttons are needed` }]),
  ];
}

function cardBodyFaults(body: Json): Fault[] {
  const breaks = String(body.text).split('\n').length - 1;
  return [
    ...bodyFaults(body, MAX_CARD_BODY),
    ...(breaks > MAX_CARD_LINE_BREAKS
      ? [{ field: 'body.text', message: `at most ${MAX_CARD_LINE_BREAKS} line breaks` }]
      : []),
  ];
}

interface Shape {
  format: unknown;
  hasBody: boolean;
  buttons: string;
}

function shapeOf(card: readonly Json[]): Shape {
  return {
    format: componentOf(card, 'HEADER')?.format,
    hasBody: componentOf(card, 'BODY') !== undefined,
    buttons: listOf(componentOf(card, 'BUTTONS')?.buttons)
      .filter(isJson)
      .map(({ type }) => String(type))
      .join(', '),
  };
}

/**
 * Compares a card's structure with that of the first card. While single cards have errors, only the presence of a body
 * is compared, because those errors already cover the rest.
 */
function shapeFaults(shape: Shape, first: Shape, isAtFault: boolean): Fault[] {
  const wrong = (isWrong: boolean, field: string, message: string): Fault[] => (isWrong ? [{ field, message }] : []);
  return [
    ...wrong(shape.hasBody !== first.hasBody, 'body', 'all cards have a text, or none has'),
    ...wrong(!isAtFault && shape.format !== first.format, 'header.format', 'all cards have the same kind of header'),
    ...wrong(
      !isAtFault && shape.buttons !== first.buttons,
      'buttons',
      `all cards have the same kinds of buttons in the same order: the first one has ${first.buttons}`,
    ),
  ];
}
