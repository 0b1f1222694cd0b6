import { cardsOf, componentOf, isJson, type Json } from './draft-content';
import type { Fault } from './fault';
import { bracedTextsOf, hasNames, textFaults } from './variables';

export const MAX_OFFER = 16;
export const MAX_OFFER_BODY = 600;

/** Validates the component of a limited-time offer: its text and its expiration flag. */
export function offerFaults({ limited_time_offer: offer }: Json): Fault[] {
  if (!isJson(offer)) return [{ field: 'limited_time_offer', message: 'must be an object' }];
  const { text, has_expiration: hasExpiration } = offer;
  const field = 'limited_time_offer.text';
  return [
    ...textFaults(field, text, MAX_OFFER),
    ...(/[{}]/.test(String(text)) ? [{ field, message: 'the text of an offer has no variables' }] : []),
    ...(hasExpiration === undefined || typeof hasExpiration === 'boolean'
      ? []
      : [{ field: 'limited_time_offer.has_expiration', message: 'must be true or false' }]),
  ];
}

/** Validates which parts a template may combine, depending on its kind. */
export function kindFaults(category: string, components: readonly Json[]): Fault[] {
  const has = (type: string): boolean => componentOf(components, type) !== undefined;
  const buttons = typesOf(componentOf(components, 'BUTTONS'));
  return [
    ...(has('CAROUSEL') ? carouselKindFaults(category, components) : []),
    ...(has('LIMITED_TIME_OFFER') ? offerKindFaults(category, components) : []),
    ...(buttons.includes('CATALOG') || buttons.includes('MPM') ? productFaults(category, components) : []),
    ...(buttons.includes('SPM') || componentOf(components, 'HEADER')?.format === 'PRODUCT'
      ? singleProductFaults(category, components)
      : []),
    // WhatsApp documents this header format only for marketing messages.
    ...(componentOf(components, 'HEADER')?.format === 'GIF' ? marketingFaults(category, 'a GIF in its header') : []),
    ...namingFaults(components),
  ];
}

function typesOf(component: Json | undefined): string[] {
  const buttons: unknown[] = Array.isArray(component?.buttons) ? component.buttons : [];
  return buttons.filter(isJson).map(({ type }) => String(type));
}

function marketingFaults(category: string, what: string): Fault[] {
  return category === 'MARKETING' ? [] : [{ field: 'category', message: `a template with ${what} is MARKETING` }];
}

/** Reports parts that a kind of template cannot have. */
function foreignFaults(components: readonly Json[], types: readonly string[], what: string): Fault[] {
  return types.flatMap((type) =>
    componentOf(components, type)
      ? [
          {
            field: type.toLowerCase(),
            message: `a template with ${what} has no ${type.toLowerCase().replaceAll('_', ' ')}`,
          },
        ]
      : [],
  );
}

function carouselKindFaults(category: string, components: readonly Json[]): Fault[] {
  const what = 'a carousel';
  return [
    ...marketingFaults(category, what),
    ...foreignFaults(components, ['HEADER', 'FOOTER', 'BUTTONS', 'LIMITED_TIME_OFFER'], what),
  ];
}

function offerKindFaults(category: string, components: readonly Json[]): Fault[] {
  const what = 'a limited-time offer';
  const format = componentOf(components, 'HEADER')?.format;
  const offer = componentOf(components, 'LIMITED_TIME_OFFER')?.limited_time_offer;
  const isCodeNeeded = isJson(offer) && offer.has_expiration === true;
  const types = typesOf(componentOf(components, 'BUTTONS')).join(', ');
  const isRight = types === 'COPY_CODE, URL' || (types === 'URL' && !isCodeNeeded);
  return [
    ...marketingFaults(category, what),
    ...foreignFaults(components, ['FOOTER'], what),
    ...(format === undefined || format === 'IMAGE' || format === 'VIDEO'
      ? []
      : [{ field: 'header.format', message: `the header of a template with ${what} is an IMAGE or a VIDEO` }]),
    ...(isRight
      ? []
      : [
          {
            field: 'buttons',
            message: isCodeNeeded
              ? 'an offer that ends has two buttons: COPY_CODE, then URL'
              : 'an offer has a button URL, and may have COPY_CODE before it',
          },
        ]),
  ];
}

/**
 * Validates catalog and product list templates. WhatsApp provides the header of a catalog, while a product list has a
 * text header.
 */
function productFaults(category: string, components: readonly Json[]): Fault[] {
  const [type, second] = typesOf(componentOf(components, 'BUTTONS'));
  const what = type === 'MPM' ? 'a list of products' : 'a catalogue';
  const format = componentOf(components, 'HEADER')?.format;
  return [
    ...marketingFaults(category, what),
    ...(second === undefined ? [] : [{ field: 'buttons', message: `a template with ${what} has no other button` }]),
    ...(type === 'CATALOG' ? foreignFaults(components, ['HEADER'], what) : []),
    ...(type === 'MPM' && format !== undefined && format !== 'TEXT'
      ? [{ field: 'header.format', message: `the header of a template with ${what} is a TEXT` }]
      : []),
  ];
}

/** Requires a product header and the button that opens the product to occur together. */
function singleProductFaults(category: string, components: readonly Json[]): Fault[] {
  const what = 'a product';
  const types = typesOf(componentOf(components, 'BUTTONS'));
  return [
    ...marketingFaults(category, what),
    ...(componentOf(components, 'HEADER')?.format === 'PRODUCT'
      ? []
      : [{ field: 'header.format', message: 'the header of a template with the button SPM is a PRODUCT' }]),
    ...(types.join() === 'SPM'
      ? []
      : [{ field: 'buttons', message: `a template with ${what} has one button, of type SPM` }]),
  ];
}

/** Returns whether a template's variables are named. WhatsApp calls this its `parameter_format`. */
export function hasNamedVariables(components: readonly Json[]): boolean {
  return textsOf(components).some(({ text }) => hasNames(text));
}

/** Requires one format for all texts of a template: either named or numbered variables. */
function namingFaults(components: readonly Json[]): Fault[] {
  if (!hasNamedVariables(components)) return [];
  return textsOf(components)
    .filter(({ text }) => !hasNames(text) && bracedTextsOf(String(text)).length > 0)
    .map(({ field }) => ({ field, message: 'the variables of a template have either numbers or names, not both' }));
}

function textsOf(components: readonly Json[]): { field: string; text: unknown }[] {
  const textsIn = (parts: readonly Json[], place: string): { field: string; text: unknown }[] =>
    ['HEADER', 'BODY'].flatMap((type) => {
      const { text } = componentOf(parts, type) ?? {};
      return typeof text === 'string' ? [{ field: `${place}${type.toLowerCase()}.text`, text }] : [];
    });
  return [
    ...textsIn(components, ''),
    ...cardsOf(components).flatMap((card, index) => textsIn(card, `carousel.cards.${index}.`)),
  ];
}
