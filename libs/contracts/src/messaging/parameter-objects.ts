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

/** Latest time of a JavaScript date, in milliseconds since 1970. */
export const LATEST_MS = 8_640_000_000_000_000;
const { product: MAX_PRODUCT_ID, catalog: MAX_CATALOG_ID, flow_token: MAX_FLOW_TOKEN } = VALUE_MAX_CHARACTERS;

/** End of a limited-time offer. */
export class OfferValue {
  @Doc('End of the offer, in milliseconds since 1970', { example: 1_767_225_600_000 })
  @IsInt()
  @Min(0)
  @Max(LATEST_MS)
  expiration_time_ms: number;
}

/** Product of the catalog that is connected to the business account. */
export class ProductValue {
  @Doc('ID in the catalogue', { example: 'SKU-17' })
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
  @Doc('ID in the catalogue', { example: 'SKU-17' })
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(MAX_PRODUCT_ID)
  product_retailer_id: string;
}

/** Products under one heading. */
class ProductSection {
  @Doc('Required if there are several sections', { example: 'New' })
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxLength(24)
  title?: string;
  @ArrayMinSize(1) @ArrayMaxSize(30) @ListOf(() => ProductItem) product_items: ProductItem[];
}

/** Action of a button: opens a catalog, a list of products, or a flow. */
export class ActionValue {
  @Doc('For catalog and mpm: the product whose image the message shows', { example: 'SKU-17' })
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(MAX_PRODUCT_ID)
  thumbnail_product_retailer_id?: string;
  @Doc('For mpm: at most 30 products in total')
  @IsOptional()
  @ArrayMinSize(1)
  @ArrayMaxSize(10)
  @ListOf(() => ProductSection)
  sections?: ProductSection[];
  @Doc('For flow: returned with the answers; defaults to `unused`')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxLength(MAX_FLOW_TOKEN)
  flow_token?: string;
  @Doc('For flow: data for its first screen') @IsOptional() @IsObject() @IsStorableJson() flow_action_data?: object;
}
