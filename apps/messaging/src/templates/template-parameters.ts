import {
  AppError,
  componentOf,
  isCarousel,
  isEmptyValue,
  isSendableText,
  parameterTypeOf,
  placeOfComponent,
  subTypeOf,
  type TemplateComponent,
  type TemplateContent,
  TemplateFiller,
  type TemplateParameter,
  type TemplateRecord,
  type TemplateValues,
  type TemplateVariable,
  templateVariables,
  UNSENDABLE_WORDS,
  variablesByPlace,
} from '@switchboard/contracts';
import { checkObject, isObjectType } from './template-actions';
import { fitCards } from './template-cards';
import { mismatch } from './template-mismatch';

type StoredTemplate = Pick<TemplateRecord, 'components' | 'category'>;
type Variables = readonly TemplateVariable[];

/**
 * Flow token that the upstream platform assumes if none is given. The platform rejects a message without the button of
 * its flow, so the token is sent explicitly.
 */
const NO_FLOW_TOKEN = 'unused';

const known = new WeakMap<StoredTemplate, Variables>();

/** Returns the variables of a template. Cached per template object, because thousands of sends use it. */
export function variablesOf(template: StoredTemplate): Variables {
  const variables = known.get(template) ?? templateVariables(template);
  known.set(template, variables);
  return variables;
}

/**
 * Checks that a send fills every variable of the template (header, body, offer, buttons, cards) with the right kind of
 * value (spec §3.5.8).
 * @returns the content with components, which are built from `variables` if given, and with parameter names if the
 * template has named variables
 * @throws AppError TEMPLATE_PARAMS_MISMATCH with the expected and the given value, or the error of an invalid value in
 * `variables`
 */
export function fitToTemplate(
  template: StoredTemplate,
  { variables: values, ...content }: TemplateContent,
): TemplateContent {
  const all = variablesOf(template);
  const filled = values ? { ...content, components: componentsOf(all, values, content.components) } : content;
  const fitted = fitCards(template, filled, fitToTemplate);
  const variables = all.filter(({ card }) => card === undefined);
  const given = componentsByPlace(fitted);
  const places = variablesByPlace(variables);
  for (const [place, component] of given) {
    if (!places.has(place) && !isCarousel(component))
      throw mismatch(`the template has no variable in ${labelOf(place)}, ${component.parameters?.length ?? 0} given`);
  }
  for (const [place, ofPlace] of places) checkPlace(labelOf(place), ofPlace, given.get(place));
  const flows = [...places].filter(([place, [first]]) => first?.kind === 'flow_token' && !given.has(place));
  const unnamed = flows.map(([, ofPlace]): TemplateComponent => componentOf(ofPlace, [NO_FLOW_TOKEN]));
  if (variables.every(({ parameterName }) => parameterName === undefined))
    return unnamed.length === 0 ? fitted : { ...fitted, components: [...(fitted.components ?? []), ...unnamed] };
  const named = [...given].map(([place, component]) => withNames(component, places.get(place) ?? []));
  return { ...fitted, components: [...named, ...unnamed] };
}

/** Builds components from values by name. The actions of buttons may be given in addition. */
function componentsOf(
  variables: Variables,
  values: TemplateValues,
  own: TemplateContent['components'] = [],
): TemplateComponent[] {
  const filler = new TemplateFiller(variables, { own });
  const fault = filler.faultOfOwn(values) ?? filler.faultOfNames(values);
  const filled = fault ? { fault } : filler.fill(values);
  if ('fault' in filled) throw refusal(filled.fault.code, filled.fault.message);
  return filled.components;
}

function checkPlace(label: string, variables: Variables, component: TemplateComponent | undefined): void {
  const { parameters = [], sub_type: givenSubType } = component ?? {};
  const [first] = variables;
  if (!first || (parameters.length === 0 && variables.every(({ isOptional }) => isOptional))) return;
  const type = parameterTypeOf(first);
  // A file, a location and a product each form one parameter.
  const count = type === 'text' ? variables.length : 1;
  if (parameters.length !== count)
    throw mismatch(`${label} expects ${count}${type === 'text' ? '' : ` ${type}`}, ${parameters.length} given`);
  const subType = subTypeOf(first);
  if (subType !== undefined && givenSubType?.toLowerCase() !== subType)
    throw mismatch(`${label} expects sub_type ${subType}, ${givenSubType ?? 'none'} given`);
  for (const parameter of parameters) {
    if (isObjectType(type)) checkObject({ label, subType }, type, parameter);
    else checkValue(label, first, parameter);
  }
  checkNames(label, variables, parameters);
}

function checkValue(label: string, variable: TemplateVariable, parameter: TemplateParameter): void {
  const type = parameterTypeOf(variable);
  const isText = type === 'text' || type === 'payload' || type === 'coupon_code';
  // The payload or code of a button may be given as text, like any other variable.
  if (parameter.type !== type && !(isText && parameter.type === 'text'))
    throw mismatch(`${label} expects ${type}, ${parameter.type} given`);
  if (type === 'location') {
    if (!parameter.location) throw mismatch(`${label} expects location.latitude and location.longitude, none given`);
    return;
  }
  if (!isText) {
    if (!mediaOf(parameter)) throw mismatch(`${label} expects ${type}.link, none given`);
    return;
  }
  const text = textOf(parameter);
  if (text === undefined || isEmptyValue(text))
    throw mismatch(`${label} expects a ${parameter.type} that is not empty`);
  if (type !== 'payload' && !isSendableText(text)) throw mismatch(`${label} expects text ${UNSENDABLE_WORDS}`);
  if (text.length > variable.maxCharacters)
    throw mismatch(`${label} expects at most ${variable.maxCharacters} characters, ${text.length} given`);
}

/**
 * Checks that each name is given once, as the upstream platform requires. Values without names follow the order of the
 * template.
 */
function checkNames(label: string, variables: Variables, parameters: readonly TemplateParameter[]): void {
  const names = variables.flatMap(({ parameterName }) => parameterName ?? []);
  const given = parameters.flatMap(({ parameter_name: name }) => name ?? []);
  if (names.length === 0 || given.length === 0) return;
  if (given.length === names.length && names.every((name) => given.includes(name))) return;
  throw mismatch(`${label} expects the parameter_name ${names.join(', ')}, ${given.join(', ')} given`);
}

function withNames(component: TemplateComponent, variables: Variables): TemplateComponent {
  if (isCarousel(component)) return component;
  const parameters = component.parameters?.map((parameter, position) => {
    const name = variables[position]?.parameterName;
    return name === undefined ? parameter : { parameter_name: name, ...parameter };
  });
  return { ...component, parameters };
}

/** Groups the components of a send by position, merges those with the same position, and omits those without values. */
export function componentsByPlace({
  components = [],
}: Pick<TemplateContent, 'components'>): Map<string, TemplateComponent> {
  const byPlace = new Map<string, TemplateComponent>();
  for (const component of components) {
    const { parameters = [], cards } = component;
    if (parameters.length === 0 && cards === undefined) continue;
    const place = placeOfComponent(component);
    const samePlace = byPlace.get(place);
    byPlace.set(
      place,
      samePlace ? { ...samePlace, parameters: [...(samePlace.parameters ?? []), ...parameters] } : component,
    );
  }
  return byPlace;
}

/** Returns the value of a text, payload or coupon code. */
export function textOf({ type, text, payload, coupon_code: couponCode }: TemplateParameter): string | undefined {
  if (type === 'payload') return payload;
  return type === 'coupon_code' ? couponCode : text;
}

/** Returns the value of a file. */
export function mediaOf({ type, image, document, video, gif }: TemplateParameter): TemplateParameter['document'] {
  if (type === 'image') return image;
  if (type === 'gif') return gif;
  return type === 'video' ? video : document;
}

const LABELS: Readonly<Record<string, string>> = {
  header: 'the header',
  body: 'the body',
  limited_time_offer: 'the limited-time offer',
};

function labelOf(place: string): string {
  return LABELS[place] ?? place;
}

function refusal(code: AppError['code'], message: string): AppError {
  return new AppError(code, { message, details: [{ field: 'template.variables', message }] });
}
