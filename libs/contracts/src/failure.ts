import { ERRORS, type ErrorCode } from './errors';
import { IsBoolean, IsIn, IsInt, IsString } from 'class-validator';
import { BodySchema, Doc, OrNull } from './body-docs';
import { ERROR_CATEGORIES, type ErrorCategory, type MessageError } from './messaging/message-types';

/**
 * Reason why a message failed or a job rejected a recipient, in the format of the API, webhooks and files (spec
 * §5.3.1).
 */
@BodySchema({ name: 'MessageError' })
export class Failure {
  @Doc('Error code of this API; `JOB_EXPIRED` if the job expired before reaching the recipient', {
    example: 'WINDOW_CLOSED',
  })
  @IsString()
  reason: string;
  @Doc(
    'Error code of the upstream platform; null if the platform reported none or the service rejected the message itself',
  )
  @OrNull()
  @IsInt()
  code: number | null;
  @IsString() title: string;
  @IsString() message: string;
  @IsIn(ERROR_CATEGORIES) category: ErrorCategory;
  @Doc('Whether sending the unchanged message again later may succeed') @IsBoolean() retriable: boolean;
}

/** Reasons for failures stored by earlier versions, which recorded only a category. */
const REASON_OF_CATEGORY: Record<ErrorCategory, ErrorCode> = {
  auth: 'UPSTREAM_ERROR',
  rate_limit: 'UPSTREAM_THROTTLED',
  integrity: 'UPSTREAM_ERROR',
  template: 'TEMPLATE_PARAMS_MISMATCH',
  window: 'WINDOW_CLOSED',
  undeliverable: 'INVALID_VALUE',
  media: 'UNSUPPORTED_MEDIA',
  optout: 'RECIPIENT_OPTED_OUT',
  credit: 'UPSTREAM_ERROR',
  other: 'UPSTREAM_ERROR',
};

/** Categories of rejections by API error code; codes that are not listed have the category `other`. */
const CATEGORY_OF_REFUSAL: Partial<Record<ErrorCode, ErrorCategory>> = {
  INVALID_PHONE: 'undeliverable',
  TEMPLATE_NOT_FOUND: 'template',
  TEMPLATE_NOT_APPROVED: 'template',
  TEMPLATE_PARAMS_MISMATCH: 'template',
  WINDOW_CLOSED: 'window',
  RECIPIENT_OPTED_OUT: 'optout',
  RECIPIENT_BLOCKED: 'undeliverable',
  INSUFFICIENT_CREDITS: 'credit',
  UNSUPPORTED_MEDIA: 'media',
  FILE_INVALID: 'media',
  CAPTION_NOT_ALLOWED: 'media',
};

/** Converts a stored error to its public form. */
export function failureOf({ reason, code, title, message, category, retriable }: MessageError): Failure {
  return {
    reason: reason ?? REASON_OF_CATEGORY[category],
    code: code === 0 ? null : code,
    title,
    message,
    category,
    retriable,
  };
}

/**
 * Returns the public form of a recipient that was rejected before sending.
 * @param refusal API error code and description
 */
export function failureOfRefusal({ code: reason, message }: { code: string; message: string }): Failure {
  const isKnown = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);
  const title = isKnown(reason) ? ERRORS[reason].message : message;
  return {
    reason,
    code: null,
    title,
    message,
    category: (isKnown(reason) && CATEGORY_OF_REFUSAL[reason]) || 'other',
    retriable: false,
  };
}
