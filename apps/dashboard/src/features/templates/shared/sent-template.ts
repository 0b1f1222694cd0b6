import { isFileKind, type TemplateVariable, variableNamesOf } from '@switchboard/template-rules';
import { isJson, type Json, listOf, textOf } from './form-values';
import { shownFile } from './send-values';
import { codeText, type TemplateForm, toForm } from './template-form';

/** Template of a sent message, as it is stored: with all values in its components. */
export interface SentTemplate {
  name: string;
  language: string;
  components: readonly object[];
}

/** Reads the stored content of a template message. */
export function toSentTemplate(content: unknown): SentTemplate | undefined {
  if (!isJson(content) || textOf(content.name) === '') return undefined;
  const language = isJson(content.language) ? textOf(content.language.code) : '';
  return { name: textOf(content.name), language, components: listOf(content.components).filter(isJson) };
}

/** Returns all values of a message, for a template that is not found. */
export function valuesOf({ components }: SentTemplate): string[] {
  return ['header', 'body', 'button'].flatMap((type) =>
    components
      .filter(isJson)
      .filter((component) => typeIn(component) === type)
      .flatMap((component) => parametersIn(component).map(valueOf)),
  );
}

/** Returns the template's form with the values of the message in place of its variables. */
export function sentForm(
  template: { components: readonly object[]; category: string },
  { components }: SentTemplate,
): TemplateForm {
  const listed = toForm(template.components, template.category);
  const form = template.category === 'AUTHENTICATION' ? { ...listed, body: codeText(listed) } : listed;
  const given = components.filter(isJson);
  const carousel = given.find((component) => typeIn(component) === 'carousel');
  const cards = listOf(carousel?.cards).filter(isJson);
  return {
    ...filled(form, given),
    headerText: filledText(form.headerText, parametersOf(given, 'header')),
    headerFileName: fileOf(given).name,
    cards: form.cards.map((card, index) => {
      const own = cards.find((one) => one.card_index === index);
      return filled(card, listOf(own?.components).filter(isJson));
    }),
  };
}

/** Returns the text of a message that a preview shows: the body, or else the header. */
export function sentText(
  template: { components: readonly object[]; category: string },
  sent: SentTemplate,
): string | undefined {
  const { body, headerText } = sentForm(template, sent);
  return body || headerText || undefined;
}

/** Returns the location of a location header. */
export function sentPlace({ components }: SentTemplate): unknown {
  return parametersOf(components.filter(isJson), 'header').find(({ location }) => location !== undefined)?.location;
}

/**
 * Returns the values of a sent message by variable, for the form that sends its template again. Values of cards,
 * locations and product lists are not among them.
 */
export function sentValues(
  variables: readonly TemplateVariable[],
  { components }: SentTemplate,
): Record<string, string> {
  const given = components.filter(isJson);
  const texts = variables.filter(({ kind, card }) => kind === 'text' && card === undefined);
  const valueFor = (variable: TemplateVariable): string => {
    const { place, index, kind, parameterName } = variable;
    if (variable.card !== undefined) return '';
    if (isFileKind(kind)) return givenFileOf(given);
    if (kind === 'filename') return textOf(mediaOf(given)?.filename);
    if (place === 'button') {
      const own = given.find((each) => typeIn(each) === 'button' && Number(each.index ?? 0) === index);
      const [value] = own ? parametersIn(own) : [];
      return value ? textOf(value.text) || textOf(value.coupon_code) : '';
    }
    if (kind !== 'text') return '';
    const position = texts.filter((each) => each.place === place).indexOf(variable);
    const parameters = parametersOf(given, place);
    const named = parameters.find((each) => each.parameter_name !== undefined && each.parameter_name === parameterName);
    const unnamed = parameters[position]?.parameter_name === undefined ? parameters[position] : undefined;
    return textOf((named ?? unnamed)?.text);
  };
  const values = variables.map((variable) => [variable.key, valueFor(variable)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
}

/** Returns the id or link of the header's file. */
function givenFileOf(given: readonly Json[]): string {
  const media = mediaOf(given);
  return media ? textOf(media.id) || textOf(media.link) : '';
}

function mediaOf(given: readonly Json[]): Json | undefined {
  const [parameter] = parametersOf(given, 'header');
  return parameter && ['image', 'video', 'gif', 'document'].map((type) => parameter[type]).find(isJson);
}

function filled<Form extends Pick<TemplateForm, 'body' | 'bodySamples' | 'buttons' | 'headerFile'>>(
  form: Form,
  given: readonly Json[],
): Form {
  return {
    ...form,
    body: filledText(form.body, parametersOf(given, 'body')),
    bodySamples: {},
    headerFile: fileOf(given).file,
    buttons: form.buttons.map((button, index) => {
      const own = given.find((component) => typeIn(component) === 'button' && Number(component.index ?? 0) === index);
      const [value = ''] = own ? parametersIn(own).map(valueOf) : [];
      if (button.type === 'COPY_CODE') return { ...button, value };
      return button.type === 'URL' ? { ...button, value: button.value.replace(/\{\{[^{}]*\}\}/, () => value) } : button;
    }),
  };
}

/** Fills in the variables of a text by name, or else in their order. */
function filledText(text: string, parameters: readonly Json[]): string {
  const names = variableNamesOf(text);
  return text.replace(/\{\{([^{}]*)\}\}/g, (variable, name: string) => {
    const value = parameters.find((one) => one.parameter_name === name.trim()) ?? parameters[names.indexOf(name)];
    return value ? valueOf(value) : variable;
  });
}

function fileOf(given: readonly Json[]): { file: string; name?: string } {
  const media = mediaOf(given);
  if (!media) return { file: '' };
  const name = textOf(media.filename);
  return { file: shownFile(givenFileOf(given)), ...(name !== '' && { name }) };
}

const typeIn = ({ type }: Json): string => textOf(type).toLowerCase();
const parametersIn = ({ parameters }: Json): Json[] => listOf(parameters).filter(isJson);
const parametersOf = (given: readonly Json[], type: string): Json[] =>
  given.filter((component) => typeIn(component) === type).flatMap(parametersIn);
const valueOf = ({ text, payload, coupon_code: code, type }: Json): string =>
  textOf(text) || textOf(payload) || textOf(code) || textOf(type);
