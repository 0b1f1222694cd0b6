import { IsPhone, IsStorableText } from '@switchboard/contracts';
import { IsOptional, IsString, MaxLength, MinLength } from 'class-validator';

/** The form fields of a bulk send by spreadsheet (spec §8.2), besides the file. */
export class ExcelFields {
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(512) templateName: string;
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(20) language: string;
  /** One of the account's numbers; its primary number when absent. */
  @IsOptional() @IsString() @IsPhone() from?: string;
  /** Judged as in a bulk send by JSON. */
  @IsOptional() @IsString() scheduledAt?: string;
  /** Judged as in a bulk send by JSON. */
  @IsOptional() @IsString() expireAt?: string;
}

/** The query of `GET /v1/jobs/sample.xlsx`. */
export class SampleQuery {
  @IsOptional() @IsString() @IsStorableText() @MaxLength(512) templateName?: string;
  @IsOptional() @IsString() @IsStorableText() @MaxLength(20) language?: string;
}
