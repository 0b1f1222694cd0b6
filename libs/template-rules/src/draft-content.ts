import { normaliseLanguage } from './language';

/** A JSON object with unknown properties. */
export type Json = Record<string, unknown>;

export interface DraftContent {
  name: string;
  /** Language code in canonical form. */
  language: string;
  /** Category in uppercase. */
  category: string;
  /** Components with types in uppercase, without properties that WhatsApp rejects. */
  components: Json[];
  ttlSeconds: number | null;
}

interface GivenContent {
  name: string;
  language: string;
  category: string;
  components: readonly object[];
  /** Validity period; 0 and null select WhatsApp's default. */
  ttlSeconds?: number | null;
}

/** Allowed properties of each component type. All others are dropped, because WhatsApp rejects unknown properties. */
const COMPONENT_FIELDS: Record<string, readonly string[]> = {
  HEADER: ['format', 'text', 'example'],
  BODY: ['text', 'example', 'add_security_recommendation'],
  FOOTER: ['text', 'code_expiration_minutes'],
  BUTTONS: ['buttons'],
  CAROUSEL: ['cards'],
  LIMITED_TIME_OFFER: ['limited_time_offer'],
};
const BUTTON_FIELDS: Record<string, readonly string[]> = {
  QUICK_REPLY: ['text'],
  URL: ['text', 'url', 'example'],
  PHONE_NUMBER: ['text', 'phone_number'],
  COPY_CODE: ['example'],
  CATALOG: ['text'],
  MPM: ['text'],
  SPM: ['text'],
  REQUEST_CONTACT_INFO: [],
  FLOW: ['text', 'flow_id', 'flow_name', 'flow_json', 'flow_action', 'navigate_screen', 'icon'],
  OTP: ['otp_type', 'text', 'autofill_text', 'zero_tap_terms_accepted', 'supported_apps'],
};

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Normalizes the content to the form in which it is stored, compared and submitted. */
export function toDraftContent({ name, language, category, components, ttlSeconds }: GivenContent): DraftContent {
  return {
    name,
    language: normaliseLanguage(language),
    category: category.toUpperCase(),
    components: components.filter(isJson).map(toComponent),
    ttlSeconds: ttlSeconds || null,
  };
}

function toComponent(given: Json): Json {
  const type = upper(given.type);
  const component = { type, ...pick(given, COMPONENT_FIELDS[type]) };
  if (type === 'HEADER' && given.format !== undefined) return { ...component, format: upper(given.format) };
  if (type === 'BUTTONS' && Array.isArray(given.buttons))
    return { type, buttons: given.buttons.map((button: unknown) => (isJson(button) ? toButton(button) : button)) };
  if (type === 'CAROUSEL' && Array.isArray(given.cards))
    return { type, cards: given.cards.map((card: unknown) => (isJson(card) ? toCard(card) : card)) };
  return component;
}

function toCard({ components }: Json): Json {
  return { components: Array.isArray(components) ? components.filter(isJson).map(toComponent) : [] };
}

function toButton(given: Json): Json {
  const type = upper(given.type);
  const button = { type, ...pick(given, BUTTON_FIELDS[type]) };
  if (type === 'FLOW') return { ...button, ...asHandedIn(given) };
  return type === 'OTP' ? { ...button, otp_type: upper(given.otp_type) } : button;
}

/** Converts a flow to the submitted form: WhatsApp lists the flow ID as a number and its action in uppercase. */
function asHandedIn({ flow_id: id, flow_action: action }: Json): Json {
  return {
    ...(typeof id === 'number' && { flow_id: String(id) }),
    ...(typeof action === 'string' && { flow_action: action.toLowerCase() }),
  };
}

/**
 * Picks the given fields, without `type`. Picks all if the type is unknown, because validation rejects the type anyway.
 */
function pick(given: Json, fields: readonly string[] | undefined): Json {
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => name !== 'type' && value !== undefined && (fields?.includes(name) ?? true),
    ),
  );
}

function upper(value: unknown): string {
  return typeof value === 'string' ? value.trim().toUpperCase() : '';
}

export function componentOf(components: readonly Json[], type: string): Json | undefined {
  return components.find((component) => component.type === type);
}

/**
 * Returns the components of each card of a carousel, in order; an empty list for an invalid card. Types are
 * case-insensitive.
 */
export function cardsOf(components: readonly object[]): Json[][] {
  const carousel = components.filter(isJson).find(({ type }) => upper(type) === 'CAROUSEL');
  return listOf(carousel?.cards).map((card) => (isJson(card) ? listOf(card.components).filter(isJson) : []));
}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
