import { type TemplateComponent, type TemplateContent, type TemplateRecord, variablesOf } from '@switchboard/contracts';
import { type ObjectKind, slotOfAction, slotOfOffer } from './template-actions';

/**
 * What a value must be: text, a quick reply's payload, a coupon code, a file of a kind, an object, or what this API
 * cannot send. The cards of a carousel have places of their own.
 */
export type SlotKind =
  | 'text'
  | 'payload'
  | 'coupon_code'
  | 'image'
  | 'document'
  | 'video'
  | 'gif'
  | ObjectKind
  | 'cards'
  | 'other';

/** A place of a template that takes values. */
export interface Slot {
  /** As it is named in refusals: `the header`, `the body`, `button 0`. */
  label: string;
  kind: SlotKind;
  /** One per variable, in the order of the text; empty names for files, payloads and codes. */
  variables: string[];
  isOptional: boolean;
  /** Buttons only, as the upstream platform wants it. */
  subType?: string;
}

interface StoredButton {
  type?: string;
  url?: string;
}

interface StoredComponent {
  type?: string;
  format?: string;
  text?: string;
  buttons?: StoredButton[];
  limited_time_offer?: { has_expiration?: boolean };
}

const HEADERS: Record<string, SlotKind> = {
  ...{ IMAGE: 'image', DOCUMENT: 'document', VIDEO: 'video', GIF: 'gif' },
  PRODUCT: 'product',
};

/** Every place of the template that takes values, by key; those without variables are left out. */
export function slotsOf({ components }: Pick<TemplateRecord, 'components'>): Map<string, Slot> {
  return new Map((components as StoredComponent[]).flatMap(slotsOfComponent));
}

function slotsOfComponent(component: StoredComponent): [string, Slot][] {
  const { type = '', format = '', text, buttons = [], limited_time_offer: offer } = component;
  switch (type.toUpperCase()) {
    case 'HEADER':
      return slotOfHeader(format.toUpperCase(), text);
    case 'BODY':
      return textSlot('body', { label: 'the body', text });
    case 'BUTTONS':
      return buttons.flatMap((button, index) => slotOfButton(button, index));
    case 'LIMITED_TIME_OFFER':
      return slotOfOffer(offer);
    case 'CAROUSEL':
      return [['carousel', { label: 'the carousel', kind: 'cards', variables: [], isOptional: true }]];
    default:
      return [];
  }
}

function slotOfHeader(format: string, text: string | undefined): [string, Slot][] {
  const label = 'the header';
  if (format === '' || format === 'TEXT') return textSlot('header', { label, text });
  return [['header', { label, kind: HEADERS[format] ?? 'other', variables: [''], isOptional: false }]];
}

function slotOfButton({ type = '', url }: StoredButton, index: number): [string, Slot][] {
  const key = `button ${index}`;
  switch (type.toUpperCase()) {
    case 'URL':
      return textSlot(key, { label: key, text: url, subType: 'url' });
    // Created under this name, and a URL button when it is read back and sent.
    case 'OTP':
      return [[key, { label: key, kind: 'text', variables: ['1'], isOptional: false, subType: 'url' }]];
    case 'COPY_CODE':
      return [[key, { label: key, kind: 'coupon_code', variables: [''], isOptional: false, subType: 'copy_code' }]];
    case 'QUICK_REPLY':
      return [[key, { label: key, kind: 'payload', variables: [''], isOptional: true, subType: 'quick_reply' }]];
    default:
      return slotOfAction(key, type.toUpperCase());
  }
}

function textSlot(
  key: string,
  { text, ...slot }: { label: string; text: string | undefined; subType?: string },
): [string, Slot][] {
  const variables = variablesOf(text);
  return variables.length === 0 ? [] : [[key, { ...slot, kind: 'text', variables, isOptional: false }]];
}

/**
 * The components of a send by the key of their slot, those of one slot put together in their order; those without
 * values are left out.
 */
export function componentsByKey({
  components = [],
}: Pick<TemplateContent, 'components'>): Map<string, TemplateComponent> {
  const byKey = new Map<string, TemplateComponent>();
  for (const component of components) {
    const { parameters = [], cards } = component;
    if (parameters.length === 0 && cards === undefined) continue;
    const key = keyOf(component);
    const sameSlot = byKey.get(key);
    byKey.set(key, sameSlot ? { ...sameSlot, parameters: [...(sameSlot.parameters ?? []), ...parameters] } : component);
  }
  return byKey;
}

function keyOf({ type, index }: TemplateComponent): string {
  const name = type.toLowerCase();
  return name === 'button' ? `button ${index ?? 'without an index'}` : name;
}
