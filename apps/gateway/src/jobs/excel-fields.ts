import {
  BodySchema,
  Doc,
  Either,
  IsJobName,
  IsStorableText,
  IsTime,
  JOB_NAME_DOC,
  QuietHours,
  SpendLimit,
  TEMPLATE_VARIABLES_SCHEMAS,
} from '@switchboard/contracts';
import { IsIn, IsOptional, IsString, MaxLength, MinLength } from 'class-validator';
import { FROM_DOC } from './given-numbers';
import { DRY_RUN_DOC, EXPIRE_AT_DOC, HOLD_DOC } from './job-times';
import { MAX_SPEND_DOC } from './max-spend';
import { QUIET_HOURS_DOC } from './quiet-hours';
import { SHEET_VALUES_DOC } from './sheet-values';

/** Maximum characters of the JSON of values for all rows. */
const SHEET_VALUES_CHARACTERS = 16_384;

/** Form fields of a bulk send by spreadsheet (spec §8.2), except the file. */
export class ExcelFields {
  @Doc(undefined, { example: 'order_update' })
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(512)
  templateName: string;
  @Doc('Language of the template', { example: 'en_US' })
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(20)
  language: string;
  @Doc(JOB_NAME_DOC, { example: 'Order updates, Monday' }) @IsOptional() @IsJobName() name?: string;
  /** Validated by `parseFormNumbers`. */
  @Doc(`${FROM_DOC}. Separate multiple numbers with commas`, { example: '15550783881,15550783882' })
  @IsOptional()
  @IsString()
  @IsStorableText()
  from?: string;
  /** Validated by `parseJobTimes`, as in a JSON bulk send. */
  @Doc('Start time, at most 35 days ahead; defaults to now') @IsOptional() @IsTime() scheduledAt?: string;
  @Doc(EXPIRE_AT_DOC, { example: '2026-03-03T10:15:00.000Z' }) @IsOptional() @IsTime() expireAt?: string;
  /** Boolean, which forms send as text. */
  @Doc(HOLD_DOC, { example: true })
  @IsOptional()
  @IsIn(['true', 'false'])
  @Either({ type: 'boolean' })
  hold?: 'true' | 'false';
  @Doc(DRY_RUN_DOC, { example: true })
  @IsOptional()
  @IsIn(['true', 'false'])
  @Either({ type: 'boolean' })
  dryRun?: 'true' | 'false';
  /** Object, which forms send as JSON. Validated by `parseMaxSpend`. */
  @Doc(`${MAX_SPEND_DOC}. JSON-encoded`)
  @IsOptional()
  @IsString()
  @MaxLength(200)
  @Either(SpendLimit)
  maxSpend?: string;
  /** Object, which forms send as JSON. Validated by `parseQuietHours`. */
  @Doc(`${QUIET_HOURS_DOC}. JSON-encoded`)
  @IsOptional()
  @IsString()
  @MaxLength(200)
  @Either(QuietHours)
  quietHours?: string;
  /** Object, which forms send as JSON. Validated by `parseSheetValues`. */
  @Doc(SHEET_VALUES_DOC)
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxLength(SHEET_VALUES_CHARACTERS)
  @Either(...TEMPLATE_VARIABLES_SCHEMAS.filter(({ type }) => type === 'object'))
  variables?: string;
}

/** Form of a bulk send by spreadsheet. */
@BodySchema({
  example: () => ({
    customerExcel: 'phone,{{1}}\n919812345678,A-17\n',
    templateName: 'order_update',
    language: 'en_US',
  }),
})
export class SendBulkExcelUpload extends ExcelFields {
  @Doc('An .xlsx or .csv file of at most 10 MB. The plan limits the number of rows', {
    contentMediaType: 'application/octet-stream',
    format: 'binary',
  })
  @IsString()
  customerExcel: string;
}

/** Query of `GET /v1/jobs/sample.xlsx`. */
export class SampleQuery {
  @IsOptional() @IsString() @IsStorableText() @MaxLength(512) templateName?: string;
  @IsOptional() @IsString() @IsStorableText() @MaxLength(20) language?: string;
}
