import { isFileKind, type TemplateVariable, type VariableKind } from '@switchboard/template-rules';
import { isId } from './ids';
import type { CardComponent, TemplateComponent, TemplateParameter } from './messaging/message-types';
import { offerEndOf } from './offer-end';

const SUB_TYPES: Readonly<Partial<Record<VariableKind, string>>> = {
  text: 'url',
  coupon_code: 'copy_code',
  payload: 'quick_reply',
  thumbnail: 'catalog',
  product_list: 'mpm',
  flow_token: 'flow',
};
/** Kinds of button action values. The parameter of an action is an object, of which each value sets one property. */
const ACTIONS: ReadonlySet<VariableKind> = new Set(['thumbnail', 'product_list', 'flow_token']);
const PARAMETER_TYPES: Readonly<Partial<Record<VariableKind, TemplateParameter['type']>>> = {
  latitude: 'location',
  longitude: 'location',
  name: 'location',
  address: 'location',
  filename: 'document',
  product: 'product',
  catalog: 'product',
  offer_end: 'limited_time_offer',
};

/** Returns the upstream parameter type of a variable; `other` if this service cannot send the type. */
export function parameterTypeOf({ kind }: TemplateVariable): TemplateParameter['type'] | 'other' {
  if (ACTIONS.has(kind)) return 'action';
  return PARAMETER_TYPES[kind] ?? (kind as TemplateParameter['type'] | 'other');
}

/** Groups variables by component: `header`, `body`, `button 0`, `card 0 header`. */
export function variablesByPlace(variables: readonly TemplateVariable[]): Map<string, TemplateVariable[]> {
  const byPlace = new Map<string, TemplateVariable[]>();
  for (const variable of variables) {
    const { place, card, index } = variable;
    const key = inCard(index === undefined ? place : `${place} ${index}`, card);
    byPlace.set(key, [...(byPlace.get(key) ?? []), variable]);
  }
  return byPlace;
}

/** Returns the place (`header`, `button 0`, `card 0 body`) of a component in a send or a card. */
export function placeOfComponent({ type, index }: CardComponent, card?: number): string {
  const name = type.toLowerCase();
  return inCard(name === 'button' ? `button ${index ?? 'without an index'}` : name, card);
}

const inCard = (place: string, card: number | undefined): string =>
  card === undefined ? place : `card ${card} ${place}`;

/** Checks for a carousel, whose cards contain their own components. */
export function isCarousel({ type }: Pick<TemplateComponent, 'type'>): boolean {
  return type.toLowerCase() === 'carousel';
}

/** Returns the button type of a variable, which upstream requires in a send. */
export function subTypeOf({ place, kind }: TemplateVariable): string | undefined {
  return place === 'button' ? SUB_TYPES[kind] : undefined;
}

/** Builds a component from the values of all its variables. */
export function componentOf(variables: readonly TemplateVariable[], values: readonly unknown[]): CardComponent {
  const first = variables[0] as TemplateVariable;
  const { place, index } = first;
  const parameters = parametersOf(variables, values);
  return index === undefined
    ? { type: place, parameters }
    : { type: place, sub_type: subTypeOf(first), index: String(index), parameters };
}

/** Returns one parameter per text. The parts of a file, a location or a product form a single parameter. */
function parametersOf(variables: readonly TemplateVariable[], values: readonly unknown[]): TemplateParameter[] {
  const [{ kind } = { kind: 'other' as const }] = variables;
  const valueOf = (wanted: VariableKind): string | undefined => {
    const value = values[variables.findIndex((variable) => variable.kind === wanted)];
    return isEmptyValue(value) ? undefined : (value as string);
  };
  const value = values[0] as string;
  if (isFileKind(kind)) {
    const filename = valueOf('filename');
    const file = isId('med', value) ? { id: value } : { link: value };
    return [{ type: kind, [kind]: { ...file, ...(filename !== undefined && { filename }) } }];
  }
  switch (kind) {
    case 'latitude': {
      const [name, address] = [valueOf('name'), valueOf('address')];
      const location = { latitude: Number(value), longitude: Number(valueOf('longitude')) };
      return [
        {
          type: 'location',
          location: { ...location, ...(name !== undefined && { name }), ...(address !== undefined && { address }) },
        },
      ];
    }
    case 'product':
      return [{ type: kind, product: { product_retailer_id: value, catalog_id: valueOf('catalog') ?? '' } }];
    case 'offer_end':
      return [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: offerEndOf(value) ?? 0 } }];
    case 'thumbnail':
      return [{ type: 'action', action: { thumbnail_product_retailer_id: value } }];
    case 'flow_token':
      return [{ type: 'action', action: { flow_token: value } }];
    case 'coupon_code':
      return [{ type: kind, coupon_code: value }];
    case 'payload':
      return [{ type: kind, payload: value }];
    default:
      return variables.map(({ parameterName }, index) => ({
        type: 'text',
        ...(parameterName !== undefined && { parameter_name: parameterName }),
        text: values[index] as string,
      }));
  }
}

export const isEmptyValue = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
