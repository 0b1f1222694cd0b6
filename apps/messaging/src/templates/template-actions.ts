import type { TemplateParameter } from '@switchboard/contracts';
import { mismatch } from './template-mismatch';

/** Kinds whose value is an object that the platform takes as it is. */
const OBJECT_KINDS = ['product', 'limited_time_offer', 'action'] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

const MAX_PRODUCTS = 30;
const ACTION_BUTTONS = ['CATALOG', 'MPM', 'FLOW'];

interface ObjectSlot {
  label: string;
  kind: ObjectKind;
  variables: string[];
  isOptional: boolean;
  subType?: string;
}

export const isObjectKind = (kind: string): kind is ObjectKind => OBJECT_KINDS.some((known) => known === kind);

/** The place of a limited-time offer; none, when the offer does not end. */
export function slotOfOffer(offer: { has_expiration?: boolean } | undefined): [string, ObjectSlot][] {
  const kind = 'limited_time_offer';
  if (offer?.has_expiration !== true) return [];
  return [[kind, { label: 'the limited-time offer', kind, variables: [''], isOptional: false }]];
}

/** The place of a button that opens something. A catalogue shows its first product when none is given. */
export function slotOfAction(key: string, type: string): [string, ObjectSlot][] {
  if (!ACTION_BUTTONS.includes(type)) return [];
  const subType = type.toLowerCase();
  return [[key, { label: key, kind: 'action', variables: [''], isOptional: type === 'CATALOG', subType }]];
}

/** @throws AppError TEMPLATE_PARAMS_MISMATCH naming what is expected and what was given */
export function checkObject(
  { label, subType }: { label: string; subType?: string | undefined },
  kind: ObjectKind,
  parameter: TemplateParameter,
): void {
  if (parameter.type !== kind) throw mismatch(`${label} expects ${kind}, ${parameter.type} given`);
  if (!parameter[kind]) throw mismatch(`${label} expects ${kind}.${kind}, none given`);
  const { action } = parameter;
  const showsProduct = subType === 'catalog' || subType === 'mpm';
  if (showsProduct && action?.thumbnail_product_retailer_id === undefined)
    throw mismatch(`${label} expects action.thumbnail_product_retailer_id, none given`);
  if (subType === 'mpm') checkProducts(label, action);
}

function checkProducts(label: string, { sections = [] }: TemplateParameter['action'] = {}): void {
  if (sections.length === 0) throw mismatch(`${label} expects action.sections, none given`);
  const products = sections.reduce((count, { product_items: items }) => count + items.length, 0);
  if (products > MAX_PRODUCTS) throw mismatch(`${label} expects at most ${MAX_PRODUCTS} products, ${products} given`);
  const untitled = sections.filter(({ title }) => !title).length;
  if (sections.length > 1 && untitled > 0)
    throw mismatch(`${label} expects a title for each of several sections, ${untitled} without one given`);
}

/** The value that the platform takes as it is; undefined for any other kind. */
export function objectOf({ type, ...parameter }: TemplateParameter): object | undefined {
  return isObjectKind(type) ? parameter[type] : undefined;
}
