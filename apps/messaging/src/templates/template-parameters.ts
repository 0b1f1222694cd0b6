import type { TemplateComponent, TemplateContent, TemplateParameter, TemplateRecord } from '@switchboard/contracts';
import { checkObject, isObjectKind } from './template-actions';
import { fitCards } from './template-cards';
import { mismatch } from './template-mismatch';
import { componentsByKey, type Slot, slotsOf } from './template-slots';

/** The upstream platform refuses these in a value (its code 132018). */
const UNSENDABLE_TEXT = /[\n\r\t]| {5,}/;
/** The longest value of an authentication template, in characters. */
const CODE_MAX_CHARACTERS = 15;
/** The longest code that a button copies. */
const COUPON_MAX_CHARACTERS = 20;

/**
 * Checks that a send fills every variable of the template's header, body and buttons, with the right kinds of values
 * (spec §3.5.8).
 * @returns the content; with the variables' names where the template has named ones
 * @throws AppError TEMPLATE_PARAMS_MISMATCH naming what is expected and what was given
 */
export function fitToTemplate(
  template: Pick<TemplateRecord, 'components' | 'category'>,
  asked: TemplateContent,
): TemplateContent {
  const content = fitCards(template, asked, fitToTemplate);
  const given = componentsByKey(content);
  const slots = slotsOf(template);
  for (const [key, component] of given) {
    if (!slots.has(key))
      throw mismatch(`the template has no variable in ${labelOf(key)}, ${component.parameters?.length ?? 0} given`);
  }
  for (const [key, slot] of slots)
    checkSlot(slot, given.get(key), template.category.toUpperCase() === 'AUTHENTICATION');
  const isNamed = [...slots.values()].some(({ variables }) =>
    variables.some((name) => name !== '' && !/^[0-9]+$/.test(name)),
  );
  return isNamed
    ? { ...content, components: [...given].map(([key, component]) => withNames(component, slots.get(key))) }
    : content;
}

function checkSlot(
  { label, kind, variables, isOptional, subType }: Slot,
  component: TemplateComponent | undefined,
  isCode: boolean,
): void {
  const { parameters = [], sub_type: givenSubType } = component ?? {};
  if (parameters.length === 0 && isOptional) return;
  if (parameters.length !== variables.length)
    throw mismatch(
      `${label} expects ${variables.length}${kind === 'text' ? '' : ` ${kind}`}, ${parameters.length} given`,
    );
  if (subType !== undefined && givenSubType?.toLowerCase() !== subType) {
    throw mismatch(`${label} expects sub_type ${subType}, ${givenSubType ?? 'none'} given`);
  }
  for (const parameter of parameters) {
    if (isObjectKind(kind)) checkObject({ label, subType }, kind, parameter);
    else checkValue(label, kind, parameter, isCode);
  }
}

function checkValue(label: string, kind: Slot['kind'], parameter: TemplateParameter, isCode: boolean): void {
  const isText = kind === 'text' || kind === 'payload' || kind === 'coupon_code';
  // A button's payload or code may be given as a text, as any other variable.
  if (parameter.type !== kind && !(isText && parameter.type === 'text'))
    throw mismatch(`${label} expects ${kind}, ${parameter.type} given`);
  if (!isText) {
    if (!mediaOf(parameter)) throw mismatch(`${label} expects ${kind}.link, none given`);
    return;
  }
  const text = textOf(parameter);
  if (!text) throw mismatch(`${label} expects a ${parameter.type} that is not empty`);
  if (kind !== 'payload' && UNSENDABLE_TEXT.test(text))
    throw mismatch(`${label} expects text without line breaks, tabs or more than 4 spaces in a row`);
  const most = kind === 'coupon_code' ? COUPON_MAX_CHARACTERS : isCode ? CODE_MAX_CHARACTERS : Infinity;
  if (text.length > most) throw mismatch(`${label} expects at most ${most} characters, ${text.length} given`);
}

function withNames(component: TemplateComponent, slot: Slot | undefined): TemplateComponent {
  const parameters = component.parameters?.map((parameter, position) => {
    const name = slot?.variables[position];
    return name ? { parameter_name: name, ...parameter } : parameter;
  });
  return { ...component, parameters };
}

/** The value of a text, payload or coupon code. */
export function textOf({ type, text, payload, coupon_code: couponCode }: TemplateParameter): string | undefined {
  if (type === 'payload') return payload;
  return type === 'coupon_code' ? couponCode : text;
}

/** The value of a file. */
export function mediaOf({ type, image, document, video, gif }: TemplateParameter): TemplateParameter['document'] {
  if (type === 'image') return image;
  if (type === 'gif') return gif;
  return type === 'video' ? video : document;
}

function labelOf(key: string): string {
  return key === 'header' || key === 'body' ? `the ${key}` : key;
}
