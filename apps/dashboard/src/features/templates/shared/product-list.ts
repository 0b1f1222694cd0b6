import type { TemplateVariable } from '@switchboard/template-rules';
import type { Schemas } from '../../../api/client';

type SentComponent = NonNullable<Schemas['TestSend']['components']>[number];

interface GivenProducts {
  /** Comma-separated IDs in the catalog. */
  products: string;
  /** ID of the product whose picture is shown. */
  picture: string;
}

/** Returns the value of a button that opens a product list: an object, which no variable can hold. */
export function productList({ index = 0 }: TemplateVariable, { products, picture }: GivenProducts): SentComponent[] {
  const items = products.split(',').flatMap((id) => (id.trim() === '' ? [] : [{ product_retailer_id: id.trim() }]));
  if (items.length === 0) return [];
  const action = { thumbnail_product_retailer_id: picture, sections: [{ product_items: items }] };
  return [{ type: 'button', sub_type: 'mpm', index: String(index), parameters: [{ type: 'action', action }] }];
}
