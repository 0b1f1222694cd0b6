import {
  AppError,
  ERRORS,
  type ErrorCode,
  type JobRowError,
  NAMED_ROW_ERRORS_MAX,
  storableText,
} from '@switchboard/contracts';
import type { NewJob } from './new-job';
import type { JudgedRow, RowValidator } from './row-validator';

/** Maximum length at which an invalid phone number, which may be any text, is shown. */
const SHOWN_PHONE_CHARACTERS = 64;

/** Counts the validated rows of a job. */
export class RowTally {
  readonly errors: JobRowError[] = [];
  accepted = 0;
  rejected = 0;

  add(rows: readonly JudgedRow[]): void {
    const refused = rows.filter(({ fault }) => fault !== null);
    this.errors.push(...refused.slice(0, NAMED_ROW_ERRORS_MAX - this.errors.length).map(errorOf));
    this.rejected += refused.length;
    this.accepted += rows.length - refused.length;
  }

  /** @throws AppError (422) if no row is valid: the rows' common code, or INVALID_VALUE */
  requireAny(judge: RowValidator, type: NewJob['type']): void {
    if (this.accepted === 0) throw judge.refusal() ?? noneIsRight(type, this.errors);
  }
}

export function shownPhone(phone: string): string {
  return storableText(phone.slice(0, SHOWN_PHONE_CHARACTERS));
}

function errorOf({ position, phone, fault }: JudgedRow): JobRowError {
  return { index: position, phone: shownPhone(phone), code: fault?.code ?? '', message: fault?.message ?? '' };
}

/** Always returns status 422 (spec §8.1.8), because the request was well-formed. */
function noneIsRight(type: NewJob['type'], errors: readonly JobRowError[]): AppError {
  const codes = new Set(errors.map(({ code }) => code));
  const [code = ''] = codes;
  const isShared = codes.size === 1 && code in ERRORS && ERRORS[code as ErrorCode].status === 422;
  const fieldOf = (index: number): string => (type === 'excel' ? `row ${index}` : `recipients.${index}`);
  const details = errors.map(({ index, message }) => ({ field: fieldOf(index), message }));
  if (errors.length === 0) return new AppError('INVALID_VALUE', { message: 'there are no recipients' });
  return isShared
    ? new AppError(code as ErrorCode, {
        message: `${ERRORS[code as ErrorCode].message}: no recipient is valid`,
        details,
      })
    : new AppError('INVALID_VALUE', { message: 'no recipient is valid', details });
}
