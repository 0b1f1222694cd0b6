import { isFileKind, type TemplateVariable, unfillableVariable } from '@switchboard/template-rules';
import { ERRORS, type ErrorCode } from './errors';
import {
  type CardComponent,
  COORDINATE,
  COORDINATE_MAX,
  type TemplateComponent,
  type TemplateContent,
} from './messaging/message-types';
import { isId } from './ids';
import { OFFER_END_WORDS, offerEndOf } from './offer-end';
import { isPublicLink } from './public-host';
import {
  componentOf,
  isCarousel,
  isEmptyValue,
  parameterTypeOf,
  placeOfComponent,
  variablesByPlace,
} from './template-components';
import { linkRule, storableText } from './validation';

/** Values by variable name, or an ordered list of the body values only. */
export type TemplateValues = NonNullable<TemplateContent['variables']>;

export interface ValueFault {
  code: ErrorCode;
  message: string;
}

export type FilledTemplate = { components: TemplateComponent[] } | { fault: ValueFault };

/** Line breaks, tabs and runs of spaces, which the upstream platform rejects in a value (code 132018). */
const UNSENDABLE_TEXT = /[\n\r\t]| {5,}/;
export const UNSENDABLE_WORDS = 'without line breaks, tabs or more than 4 spaces in a row';

/** Error message for a send with both variables and components. */
export const VARIABLES_AND_COMPONENTS = 'give template.variables or template.components, not both';

/** Checks whether the upstream platform accepts a text as the value of a header, body or button variable. */
export function isSendableText(text: string): boolean {
  return !UNSENDABLE_TEXT.test(text);
}

const SHOWN_NAMES = 10;
const SHOWN_CHARACTERS = 40;

/** Component with its variables, and the component to send if no variable has a value. */
interface Place {
  variables: readonly TemplateVariable[];
  /** Zero-based position of the carousel card that contains the component. */
  card: number | undefined;
  isOptional: boolean;
  own: readonly CardComponent[];
}

interface FillerOptions {
  /** Components to send where no value is given. */
  own?: readonly TemplateComponent[];
  /** Returns a variable's name for error messages. */
  nameOf?: (variable: TemplateVariable) => string;
}

/**
 * Fills in the variables of one template for a send, a recipient or a spreadsheet row. Create it once for all rows,
 * since there may be a hundred thousand.
 */
export class TemplateFiller {
  private readonly places: readonly Place[];
  /** Given components that have no variables in the template; the component check rejects them. */
  private readonly others: readonly TemplateComponent[];
  /** Given components of each card that have no variables, by card position; includes every card with a variable. */
  private readonly cards: ReadonlyMap<number, readonly CardComponent[]>;
  private readonly ofBody: readonly TemplateVariable[];
  private readonly nameOf: (variable: TemplateVariable) => string;

  /** @param variables the template's variables, from `templateVariables` */
  constructor(
    private readonly variables: readonly TemplateVariable[],
    { own = [], nameOf = ({ key }) => `variable ${key}` }: FillerOptions = {},
  ) {
    const byPlace = variablesByPlace(variables);
    const cards = variables.flatMap(({ card }) => card ?? []);
    const placed = placedComponents(own, cards.length > 0);
    this.places = [...byPlace].map(([name, ofPlace]) => ({
      variables: ofPlace,
      card: ofPlace[0]?.card,
      isOptional: ofPlace.every(({ isOptional }) => isOptional),
      own: placed.filter(({ place }) => place === name).map(({ component }) => component),
    }));
    const othersIn = (wanted: number | undefined): CardComponent[] =>
      placed.filter(({ card, place }) => card === wanted && !byPlace.has(place)).map(({ component }) => component);
    this.others = othersIn(undefined);
    const positions = [...new Set([...cards, ...placed.flatMap(({ card }) => card ?? [])])];
    this.cards = new Map(positions.sort((one, other) => one - other).map((card) => [card, othersIn(card)]));
    this.ofBody = variables.filter(({ place, card }) => place === 'body' && card === undefined);
    this.nameOf = nameOf;
  }

  /** Builds all components of a send. Ignores unknown names. */
  fill(values: TemplateValues): FilledTemplate {
    return this.filled(values, { isPart: false });
  }

  /** Builds only the components that have given values; recipients provide the others. */
  fillGiven(values: TemplateValues): FilledTemplate {
    return this.filled(values, { isPart: true });
  }

  /** Returns the given values by the keys of their variables. Omits unknown names. */
  valuesByKey(values: TemplateValues): Record<string, unknown> {
    const given = this.variables.map((variable) => [variable.key, this.valueOf(variable, values)] as const);
    return Object.fromEntries(given.filter(([, value]) => value !== undefined));
  }

  /** Describes a value whose name is not a variable of the template. */
  faultOfNames(values: TemplateValues): ValueFault | undefined {
    if (Array.isArray(values)) return undefined;
    const known = new Set(this.variables.flatMap(namesOf));
    const unknown = Object.keys(values).filter((name) => !known.has(name));
    if (unknown.length === 0) return undefined;
    const names = this.variables.map(({ key }) => key).join(', ') || 'none';
    const shown = unknown.slice(0, SHOWN_NAMES).map((name) => name.slice(0, SHOWN_CHARACTERS));
    return mismatch(`the template has no variable ${shown.join(', ')}; its variables are ${names}`);
  }

  /** Describes components that may not be combined with values: only button actions may. */
  faultOfOwn(values: TemplateValues): ValueFault | undefined {
    const isRight =
      this.others.length === 0 &&
      [...this.cards.values()].every((others) => others.length === 0) &&
      this.places.every(({ own, variables }) => own.length === 0 || this.isActionAlone(variables, values));
    return isRight ? undefined : { code: 'INVALID_PARAMETER', message: VARIABLES_AND_COMPONENTS };
  }

  private isActionAlone(variables: readonly TemplateVariable[], values: TemplateValues): boolean {
    return variables.every(
      (variable) => parameterTypeOf(variable) === 'action' && this.valueOf(variable, values) === undefined,
    );
  }

  private filled(values: TemplateValues, { isPart }: { isPart: boolean }): FilledTemplate {
    if (Array.isArray(values) && values.length !== this.ofBody.length)
      return { fault: mismatch(`the body expects ${this.ofBody.length}, ${values.length} given`) };
    const components: TemplateComponent[] = [...this.others];
    const cards = new Map([...this.cards].map(([card, others]) => [card, [...others]]));
    for (const place of this.places) {
      const filled = this.filledPlace(place, values, { isPart });
      if ('fault' in filled) return filled;
      const target = place.card === undefined ? components : cards.get(place.card);
      target?.push(...filled.components);
    }
    const given = [...cards].filter(([, ofCard]) => !isPart || ofCard.length > 0);
    if (given.length > 0) components.push(carouselOf(given));
    return { components };
  }

  private filledPlace(
    place: Place,
    values: TemplateValues,
    { isPart }: { isPart: boolean },
  ): { fault: ValueFault } | { components: readonly CardComponent[] } {
    const { variables, isOptional, own } = place;
    const given = variables.map((variable) => this.valueOf(variable, values));
    if (given.every((value) => value === undefined)) {
      const isMissing = own.length === 0 && !isOptional && !isPart;
      return isMissing ? { fault: this.absence(variables[0] as TemplateVariable) } : { components: own };
    }
    // If all its values are empty, an optional component is omitted.
    if (isOptional && given.every(isEmptyValue)) return { components: [] };
    for (const [index, variable] of variables.entries()) {
      const fault = this.faultOf(variable, given[index]);
      if (fault) return { fault };
    }
    return { components: [componentOf(variables, given)] };
  }

  private valueOf(variable: TemplateVariable, values: TemplateValues): unknown {
    if (Array.isArray(values)) return values[this.ofBody.indexOf(variable)];
    const name = namesOf(variable).find((each) => Object.hasOwn(values, each));
    return name === undefined ? undefined : (values[name] ?? '');
  }

  private faultOf(variable: TemplateVariable, value: unknown): ValueFault | undefined {
    const { isOptional, kind, maxCharacters } = variable;
    if (unfillableVariable(variable) !== undefined) return this.absence(variable);
    if (isEmptyValue(value)) return isOptional ? undefined : this.absence(variable, value);
    const name = this.nameOf(variable);
    if (kind === 'latitude' || kind === 'longitude') return coordinateFault(name, value, COORDINATE_MAX[kind]);
    if (kind === 'offer_end')
      return offerEndOf(value) === undefined
        ? { code: 'INVALID_VALUE', message: `${name} ${OFFER_END_WORDS}` }
        : undefined;
    if (typeof value !== 'string') return { code: 'INVALID_PARAMETER', message: `${name} must be a text` };
    if (isFileKind(kind) && !isPublicLink(value) && !isId('med', value))
      return { code: 'INVALID_LINK', message: `${name} ${linkRule(value)}` };
    if (value.length > maxCharacters)
      return { code: 'TEXT_TOO_LONG', message: `${name} must be at most ${maxCharacters} characters` };
    if (storableText(value) !== value)
      return { code: 'INVALID_VALUE', message: `${name} holds characters that cannot be stored` };
    const isText = kind === 'text' || kind === 'coupon_code';
    return isText && !isSendableText(value) ? mismatch(`${name} must be ${UNSENDABLE_WORDS}`) : undefined;
  }

  private absence(variable: TemplateVariable, value?: unknown): ValueFault {
    const reason = unfillableVariable(variable);
    return mismatch(reason ?? `${this.nameOf(variable)} is ${value === undefined ? 'missing' : 'empty'}`);
  }
}

/** Returns the names under which the value of a variable may be given. */
function namesOf({ key, column, alias }: TemplateVariable): string[] {
  return alias === undefined ? [key, column] : [key, column, alias];
}

/** Component of a send and its place, such as `header` or `card 0 body`. */
interface PlacedComponent {
  component: TemplateComponent;
  card: number | undefined;
  place: string;
}

/** Lists components with their places. Each card of a carousel has its own places. */
function placedComponents(components: readonly TemplateComponent[], hasCards: boolean): PlacedComponent[] {
  return components.flatMap((component): PlacedComponent[] => {
    if (!hasCards || !isCarousel(component))
      return [{ component, card: undefined, place: placeOfComponent(component) }];
    return (component.cards ?? []).flatMap(({ card_index: card, components: ofCard }) =>
      ofCard.map((part) => ({ component: part, card, place: placeOfComponent(part, card) })),
    );
  });
}

function carouselOf(cards: readonly [number, CardComponent[]][]): TemplateComponent {
  return { type: 'carousel', cards: cards.map(([card, components]) => ({ card_index: card, components })) };
}

function coordinateFault(name: string, value: unknown, most: number): ValueFault | undefined {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && COORDINATE.test(value));
  if (isNumber && Math.abs(Number(value)) <= most) return undefined;
  return { code: 'INVALID_VALUE', message: `${name} must be a number from -${most} to ${most}` };
}

function mismatch(reason: string): ValueFault {
  return {
    code: 'TEMPLATE_PARAMS_MISMATCH',
    message: `${ERRORS.TEMPLATE_PARAMS_MISMATCH.message}: ${reason}`,
  };
}
