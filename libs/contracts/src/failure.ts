import { ERRORS, type ErrorCode } from './errors';
import { IsBoolean, IsIn, IsInt, IsString } from 'class-validator';
import { BodySchema, Doc, OrNull } from './body-docs';
import { ERROR_CATEGORIES, type ErrorCategory, type MessageError } from './messaging/message-types';

/**
 * Reason why a message failed or a row of a job was rejected, in one format for the API, webhooks and files (spec
 * §5.3.1).
 */
@BodySchema({ name: 'MessageError' })
export class Failure {
  @Doc(
    'Error code of the API that gives the reason; `JOB_EXPIRED` for a recipient that its job did not reach in time',
    {
      example: 'WINDOW_CLOSED',
    },
  )
  @IsString()
  reason: string;
  @Doc('Error code of the upstream platform; null if it reported none, or if the service itself rejected the message')
  @OrNull()
  @IsInt()
  code: number | null;
  @IsString() title: string;
  @IsString() message: string;
  @IsIn(ERROR_CATEGORIES) category: ErrorCategory;
  @Doc('Whether the same message may succeed later, unchanged') @IsBoolean() retriable: boolean;
}

/** Reasons of failures that were stored before they had one. */
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

/** Category of a rejection; `other` for codes that are not listed. */
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

/** Returns the public form of a failed message. */
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
 * Returns the public form of a row that was rejected before anything was sent.
 * @param refusal code of the API, and a description
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
