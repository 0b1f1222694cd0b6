import type { TemplateVariable, VariableKind } from '@switchboard/template-rules';
import { ERRORS, type ErrorCode } from './errors';
import {
  COORDINATE,
  COORDINATE_MAX,
  type TemplateComponent,
  type TemplateContent,
  type TemplateParameter,
} from './messaging/message-types';
import { isPublicLink } from './public-host';
import { linkRule, storableText } from './validation';

/** Values by the names of the variables, or those of the body alone in their order. */
export type TemplateValues = NonNullable<TemplateContent['variables']>;

/** Why a value cannot be sent. */
export interface ValueFault {
  code: ErrorCode;
  message: string;
}

export type FilledTemplate = { components: TemplateComponent[] } | { fault: ValueFault };

/** The upstream platform refuses these in a text (its code 132018). */
const UNSENDABLE_TEXT = /[\n\r\t]| {5,}/;
export const UNSENDABLE_WORDS = 'without line breaks, tabs or more than 4 spaces in a row';

/** Why a send's values are refused that come in both ways. */
export const VARIABLES_AND_COMPONENTS = 'give template.variables or template.components, not both';
/** Why a template is refused whose header is of a kind that came later. */
export const UNKNOWN_HEADER = "the template's header is of a kind that this service does not send";

/** Whether the upstream platform takes the text as the value of a header, a body or a button. */
export function isSendableText(text: string): boolean {
  return !UNSENDABLE_TEXT.test(text);
}

const SHOWN_NAMES = 10;
const SHOWN_CHARACTERS = 40;

/** The variables of one component, and what is sent there when none of them is given. */
interface Place {
  variables: readonly TemplateVariable[];
  isOptional: boolean;
  own: readonly TemplateComponent[];
}

interface FillerOptions {
  /** What is sent where no value of a place is given. */
  own?: readonly TemplateComponent[];
  /** How faults name a variable. */
  nameOf?: (variable: TemplateVariable) => string;
}

/**
 * Fills one template's variables from values: of a send, a recipient or a row of a sheet. Made once for all of them, as
 * there may be a hundred thousand.
 */
export class TemplateFiller {
  private readonly places: readonly Place[];
  /** Own components of what the template has no variables in: whoever judges components refuses them. */
  private readonly others: readonly TemplateComponent[];
  private readonly ofBody: readonly TemplateVariable[];
  private readonly nameOf: (variable: TemplateVariable) => string;

  /** @param variables of the template, as `templateVariables` lists them */
  constructor(
    private readonly variables: readonly TemplateVariable[],
    { own = [], nameOf = ({ key }) => `variable ${key}` }: FillerOptions = {},
  ) {
    const byPlace = variablesByPlace(variables);
    this.places = [...byPlace].map(([place, ofPlace]) => ({
      variables: ofPlace,
      isOptional: ofPlace.every(({ isOptional }) => isOptional),
      own: own.filter((component) => placeOfComponent(component) === place),
    }));
    this.others = own.filter((component) => !byPlace.has(placeOfComponent(component)));
    this.ofBody = variables.filter(({ place }) => place === 'body');
    this.nameOf = nameOf;
  }

  /** All components of a send; names that the template does not have are not looked at. */
  fill(values: TemplateValues): FilledTemplate {
    return this.filled(values, { isPart: false });
  }

  /** The components of the places that values are given for: recipients bring the rest. */
  fillGiven(values: TemplateValues): FilledTemplate {
    return this.filled(values, { isPart: true });
  }

  /** What is wrong with the names of the values: that the template has no such variable. */
  faultOfNames(values: TemplateValues): ValueFault | undefined {
    if (Array.isArray(values)) return undefined;
    const known = new Set(this.variables.flatMap(({ key, column }) => [key, column]));
    const unknown = Object.keys(values).filter((name) => !known.has(name));
    if (unknown.length === 0) return undefined;
    const names = this.variables.map(({ key }) => key).join(', ') || 'none';
    const shown = unknown.slice(0, SHOWN_NAMES).map((name) => name.slice(0, SHOWN_CHARACTERS));
    return mismatch(`the template has no variable ${shown.join(', ')}; its variables are ${names}`);
  }

  private filled(values: TemplateValues, { isPart }: { isPart: boolean }): FilledTemplate {
    if (Array.isArray(values) && values.length !== this.ofBody.length)
      return { fault: mismatch(`the body expects ${this.ofBody.length}, ${values.length} given`) };
    const components = [...this.others];
    for (const place of this.places) {
      const given = this.givenIn(place, values);
      if ('fault' in given) return given;
      if (given.parameters) components.push(componentOf(place.variables, given.parameters));
      else if (given.isTouched) continue;
      else if (place.own.length > 0) components.push(...place.own);
      else if (!place.isOptional && !isPart) return { fault: this.absence(place.variables[0] as TemplateVariable) };
    }
    return { components };
  }

  /** What the values give for one place: nothing, that it stays empty, or its parameters. */
  private givenIn(
    { variables, isOptional }: Place,
    values: TemplateValues,
  ): { fault: ValueFault } | { isTouched: boolean; parameters?: TemplateParameter[] } {
    const given = variables.map((variable) => this.valueOf(variable, values));
    const isTouched = given.some((value) => value !== undefined);
    if (!isTouched || (isOptional && given.every(isEmpty))) return { isTouched };
    for (const [index, variable] of variables.entries()) {
      const fault = this.faultOf(variable, given[index]);
      if (fault) return { fault };
    }
    return { isTouched, parameters: parametersOf(variables, given) };
  }

  private valueOf(variable: TemplateVariable, values: TemplateValues): unknown {
    if (Array.isArray(values)) return variable.place === 'body' ? values[this.ofBody.indexOf(variable)] : undefined;
    if (Object.hasOwn(values, variable.key)) return values[variable.key] ?? '';
    return Object.hasOwn(values, variable.column) ? (values[variable.column] ?? '') : undefined;
  }

  private faultOf(variable: TemplateVariable, value: unknown): ValueFault | undefined {
    const { isOptional, kind, maxCharacters } = variable;
    if (isEmpty(value) || kind === 'other') return isOptional ? undefined : this.absence(variable, value);
    const name = this.nameOf(variable);
    if (kind === 'latitude' || kind === 'longitude') return coordinateFault(name, value, COORDINATE_MAX[kind]);
    if (typeof value !== 'string') return { code: 'INVALID_PARAMETER', message: `${name} must be a text` };
    if (FILES.has(kind) && !isPublicLink(value)) return { code: 'INVALID_LINK', message: `${name} ${linkRule(value)}` };
    if (value.length > maxCharacters)
      return { code: 'TEXT_TOO_LONG', message: `${name} must be at most ${maxCharacters} characters` };
    if (storableText(value) !== value)
      return { code: 'INVALID_VALUE', message: `${name} holds characters that cannot be stored` };
    return TEXTS.has(kind) && !isSendableText(value) ? mismatch(`${name} must be ${UNSENDABLE_WORDS}`) : undefined;
  }

  private absence(variable: TemplateVariable, value?: unknown): ValueFault {
    if (variable.kind === 'other') return mismatch(UNKNOWN_HEADER);
    return mismatch(`${this.nameOf(variable)} is ${value === undefined ? 'missing' : 'empty'}`);
  }
}

const FILES: ReadonlySet<VariableKind> = new Set(['image', 'video', 'document']);
const TEXTS: ReadonlySet<VariableKind> = new Set(['text', 'coupon_code']);
const SUB_TYPES: Readonly<Partial<Record<VariableKind, string>>> = {
  text: 'url',
  coupon_code: 'copy_code',
  payload: 'quick_reply',
};

/** The variables of each component, by its place: `header`, `body`, `button 0`. */
export function variablesByPlace(variables: readonly TemplateVariable[]): Map<string, TemplateVariable[]> {
  const byPlace = new Map<string, TemplateVariable[]>();
  for (const variable of variables) {
    const { place, index } = variable;
    const key = index === undefined ? place : `${place} ${index}`;
    byPlace.set(key, [...(byPlace.get(key) ?? []), variable]);
  }
  return byPlace;
}

/** The place that a component of a send fills. */
export function placeOfComponent({ type, index }: TemplateComponent): string {
  const name = type.toLowerCase();
  return name === 'button' ? `button ${index ?? 'without an index'}` : name;
}

/** The kind of button that a variable of a button belongs to, as the upstream platform wants it in a send. */
export function subTypeOf({ place, kind }: TemplateVariable): string | undefined {
  return place === 'button' ? SUB_TYPES[kind] : undefined;
}

function componentOf(variables: readonly TemplateVariable[], parameters: TemplateParameter[]): TemplateComponent {
  const first = variables[0] as TemplateVariable;
  const { place, index } = first;
  return index === undefined
    ? { type: place, parameters }
    : { type: place, sub_type: subTypeOf(first), index: String(index), parameters };
}

/** Texts are a parameter each; the parts of a file or a location are one together. */
function parametersOf(variables: readonly TemplateVariable[], values: readonly unknown[]): TemplateParameter[] {
  const [{ kind } = { kind: 'other' }] = variables;
  const valueOf = (wanted: VariableKind): string | undefined => {
    const value = values[variables.findIndex((variable) => variable.kind === wanted)];
    return isEmpty(value) ? undefined : (value as string);
  };
  switch (kind) {
    case 'image':
    case 'video':
    case 'document': {
      const filename = valueOf('filename');
      return [{ type: kind, [kind]: { link: values[0] as string, ...(filename !== undefined && { filename }) } }];
    }
    case 'latitude': {
      const [name, address] = [valueOf('name'), valueOf('address')];
      const location = { latitude: Number(values[0]), longitude: Number(valueOf('longitude')) };
      return [
        {
          type: 'location',
          location: { ...location, ...(name !== undefined && { name }), ...(address !== undefined && { address }) },
        },
      ];
    }
    case 'coupon_code':
      return [{ type: kind, coupon_code: values[0] as string }];
    case 'payload':
      return [{ type: kind, payload: values[0] as string }];
    default:
      return variables.map(({ parameterName }, index) => ({
        type: 'text',
        ...(parameterName !== undefined && { parameter_name: parameterName }),
        text: values[index] as string,
      }));
  }
}

function coordinateFault(name: string, value: unknown, most: number): ValueFault | undefined {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && COORDINATE.test(value));
  if (isNumber && Math.abs(Number(value)) <= most) return undefined;
  return { code: 'INVALID_VALUE', message: `${name} must be a number from -${most} to ${most}` };
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

function mismatch(reason: string): ValueFault {
  return {
    code: 'TEMPLATE_PARAMS_MISMATCH',
    message: `${ERRORS.TEMPLATE_PARAMS_MISMATCH.message}: ${reason}`,
  };
}
