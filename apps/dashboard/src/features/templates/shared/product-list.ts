import type { TemplateVariable } from '@switchboard/template-rules';
import type { Schemas } from '../../../api/client';

type SentComponent = NonNullable<Schemas['TestSend']['components']>[number];

interface GivenProducts {
  /** Their ids in the catalogue, with commas between them. */
  products: string;
  /** The id of the one whose picture is shown. */
  picture: string;
}

/** What fills a button that opens a list of products: an object, which no variable can give. */
export function productList({ index = 0 }: TemplateVariable, { products, picture }: GivenProducts): SentComponent[] {
  const items = products.split(',').flatMap((id) => (id.trim() === '' ? [] : [{ product_retailer_id: id.trim() }]));
  if (items.length === 0) return [];
  const action = { thumbnail_product_retailer_id: picture, sections: [{ product_items: items }] };
  return [{ type: 'button', sub_type: 'mpm', index: String(index), parameters: [{ type: 'action', action }] }];
}
