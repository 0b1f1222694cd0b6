import { ArrayMaxSize, ArrayMinSize, Equals, IsObject, IsOptional } from 'class-validator';
import { VALUE_MAX_CHARACTERS } from '@switchboard/template-rules';
import { Alias, BodySchema, Doc, ListOf, Nested } from '../body-docs';
import { HasNoFault } from '../validation';
import { MOST_PRODUCTS, productSectionsFault } from './interactive-faults';
import {
  Interactive,
  InteractiveBody,
  InteractiveListHeader,
  IsShownText,
  IsUnsupported,
  MOST,
  MOST_SECTIONS,
} from './interactive-parts';

class CatalogAction {
  @Doc('ID of the catalog that is connected to the business account', { example: '194836987003835' })
  @Alias('catalog_id')
  @IsShownText(VALUE_MAX_CHARACTERS.catalog)
  catalogId: string;
}

export class ProductAction extends CatalogAction {
  @Doc('ID of the product in the catalog', { example: 'SKU-17' })
  @Alias('product_retailer_id')
  @IsShownText(VALUE_MAX_CHARACTERS.product)
  productRetailerId: string;
}

export class ProductListItem {
  @Doc('ID of the product in the catalog', { example: 'SKU-17' })
  @Alias('product_retailer_id')
  @IsShownText(VALUE_MAX_CHARACTERS.product)
  productRetailerId: string;
}

export class ProductListSection {
  @Doc('Heading of the section; required if the list has several sections', { example: 'New' })
  @IsOptional()
  @IsShownText(MOST.sectionTitle)
  title?: string;
  @Alias('product_items')
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_PRODUCTS)
  @IsObject({ each: true })
  @ListOf(() => ProductListItem)
  productItems: ProductListItem[];
}

export class ProductListAction extends CatalogAction {
  @Doc(`Sections of the list, with at most ${MOST_PRODUCTS} products in total`)
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_SECTIONS)
  @HasNoFault(productSectionsFault)
  @IsObject({ each: true })
  @ListOf(() => ProductListSection)
  sections: ProductListSection[];
}

@BodySchema({ description: 'One product of the catalog, with an optional text. An order is a message of type `order`' })
export class ProductContent extends Interactive {
  @Equals('product') type: 'product';
  @IsUnsupported() header?: unknown;
  @IsOptional() @IsObject() @Nested(() => InteractiveBody) body?: InteractiveBody;
  @IsObject() @Nested(() => ProductAction) action: ProductAction;
}

@BodySchema({
  description: `List of up to ${MOST_PRODUCTS} products of the catalog. An order is a message of type \`order\``,
})
export class ProductListContent extends Interactive {
  @Equals('product_list') type: 'product_list';
  @IsObject() @Nested(() => InteractiveListHeader) header: InteractiveListHeader;
  @IsObject() @Nested(() => InteractiveBody) body: InteractiveBody;
  @IsObject() @Nested(() => ProductListAction) action: ProductListAction;
}
