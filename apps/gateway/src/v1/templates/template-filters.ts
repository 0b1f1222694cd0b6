import { IsStorableText } from '@switchboard/contracts';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { Transform } from 'class-transformer';

export const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'];

/** The query of `GET /v1/templates` (spec §7.5.2). */
export class TemplateFilters {
  @IsOptional() @IsString() @IsStorableText() @MaxLength(512) name?: string;
  @IsOptional() @IsString() @IsStorableText() @MaxLength(20) language?: string;
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toUpperCase() : value))
  @IsIn(CATEGORIES)
  category?: string;
}
