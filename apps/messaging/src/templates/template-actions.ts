import type { TemplateParameter } from '@switchboard/contracts';
import { mismatch } from './template-mismatch';

/** Parameter types whose value is an object that is passed to the platform unchanged. */
const OBJECT_TYPES = ['product', 'limited_time_offer', 'action'] as const;
export type ObjectType = (typeof OBJECT_TYPES)[number];

const MAX_PRODUCTS = 30;

export const isObjectType = (type: string): type is ObjectType => OBJECT_TYPES.some((known) => known === type);

/** @throws AppError TEMPLATE_PARAMS_MISMATCH with the expected and the given value */
export function checkObject(
  { label, subType }: { label: string; subType?: string | undefined },
  type: ObjectType,
  parameter: TemplateParameter,
): void {
  if (parameter.type !== type) throw mismatch(`${label} expects ${type}, ${parameter.type} given`);
  if (!parameter[type]) throw mismatch(`${label} expects ${type}.${type}, none given`);
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

/** Returns the value that is passed to the platform unchanged. Undefined for other types. */
export function objectOf({ type, ...parameter }: TemplateParameter): object | undefined {
  return isObjectType(type) ? parameter[type] : undefined;
}
