import {
  ArrayMaxSize,
  ArrayMinSize,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { VALUE_MAX_CHARACTERS } from '@switchboard/template-rules';
import { Doc, ListOf } from '../body-docs';
import { IsStorableJson, IsStorableText } from '../validation';

/** Latest time that a JavaScript `Date` can represent, in milliseconds since 1970. */
export const LATEST_MS = 8_640_000_000_000_000;
const { product: MAX_PRODUCT_ID, catalog: MAX_CATALOG_ID, flow_token: MAX_FLOW_TOKEN } = VALUE_MAX_CHARACTERS;

export class OfferValue {
  @Doc('End of the offer, in milliseconds since 1970', { example: 1_767_225_600_000 })
  @IsInt()
  @Min(0)
  @Max(LATEST_MS)
  expiration_time_ms: number;
}

/** Product from the catalog that is connected to the business account. */
export class ProductValue {
  @Doc('ID of the product in the catalog', { example: 'SKU-17' })
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(MAX_PRODUCT_ID)
  product_retailer_id: string;
  @Doc(undefined, { example: '194836987003835' })
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(MAX_CATALOG_ID)
  catalog_id: string;
}

class ProductItem {
  @Doc('ID of the product in the catalog', { example: 'SKU-17' })
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(MAX_PRODUCT_ID)
  product_retailer_id: string;
}

/** Products under one heading of a product list. */
class ProductSection {
  @Doc('Heading of the section; required if there are several sections', { example: 'New' })
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxLength(24)
  title?: string;
  @ArrayMinSize(1) @ArrayMaxSize(30) @ListOf(() => ProductItem) product_items: ProductItem[];
}

/** Action of a button: opens a catalog, a list of products, or a flow. */
export class ActionValue {
  @Doc('Product whose image the message shows; for `catalog` and `mpm` buttons', { example: 'SKU-17' })
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(MAX_PRODUCT_ID)
  thumbnail_product_retailer_id?: string;
  @Doc('Sections of the product list, with at most 30 products in total; for `mpm` buttons')
  @IsOptional()
  @ArrayMinSize(1)
  @ArrayMaxSize(10)
  @ListOf(() => ProductSection)
  sections?: ProductSection[];
  @Doc('Token returned with the submitted form; for `flow` buttons. Defaults to `unused`')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxLength(MAX_FLOW_TOKEN)
  flow_token?: string;
  @Doc('Data for the first screen of the flow; for `flow` buttons')
  @IsOptional()
  @IsObject()
  @IsStorableJson()
  flow_action_data?: object;
}
