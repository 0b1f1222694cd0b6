import { IsStorableText } from '@switchboard/contracts';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';

export class NewTemplateDraftBody {
  @IsOptional() @IsString() @IsStorableText() @MaxLength(64) wabaId?: string;
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(512) name: string;
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(20) language: string;
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(20) category: string;
  @IsArray() @ArrayMaxSize(20) @IsObject({ each: true }) components: object[];
  /** 0 for the upstream's own. */
  @IsOptional() @IsInt() @Min(0) @Max(2_592_000) ttlSeconds?: number;
}

export class TemplateDraftChangeBody {
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxLength(512) name?: string;
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxLength(20) language?: string;
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxLength(20) category?: string;
  @IsOptional() @IsArray() @ArrayMaxSize(20) @IsObject({ each: true }) components?: object[];
  /** 0 for the upstream's own. */
  @IsOptional() @IsInt() @Min(0) @Max(2_592_000) ttlSeconds?: number;
}
