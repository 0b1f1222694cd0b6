import {
  alsoMissing,
  AppError,
  MessageContent,
  type NewJobCommand,
  parseBody,
  type QuietHours,
  withOwnContent,
} from '@switchboard/contracts';
import { requireOneCaption } from '../messages/one-caption';
import { parseNumbers } from './given-numbers';
import type { JobMaker } from './job-maker';
import { parseJobName } from './job-name';
import { parseDryRun, parseHold, parseJobTimes } from './job-times';
import { parseMaxSpend } from './max-spend';
import { parseQuietHours } from './quiet-hours';

/** Parsed body of a call that creates a job. */
export interface JobRequest {
  /** Value of the field with the recipients, not validated. */
  recipients: unknown;
  dryRun: boolean;
  /** Without the time zone of the account. */
  quietHours?: QuietHours;
  command: NewJobCommand;
}

/**
 * Parses the body of a call that creates a job, except for the recipients.
 * @param field name of the field with the recipients
 * @throws AppError as a send
 */
export function parseJobRequest(
  body: unknown,
  field: 'recipients' | 'audience',
  { account, newId }: Pick<JobMaker, 'account' | 'newId'>,
): JobRequest {
  // Excludes the recipients from validation, which would check every value.
  const {
    [field]: recipients,
    from: givenNumbers,
    scheduledAt,
    expireAt,
    hold,
    name,
    dryRun,
    maxSpend,
    quietHours: givenQuietHours,
    ...content
  } = bodyOf(body);
  const isDryRun = parseDryRun(dryRun);
  const { numbers, from } = parseNumbers(givenNumbers);
  const quietHours = parseQuietHours(givenQuietHours);
  const named = { ...content, ...(from !== undefined && { from }) };
  const message = requireOneCaption(withOwnContent(messageOf(named, recipients === undefined ? field : undefined)));
  return {
    recipients,
    dryRun: isDryRun,
    ...(quietHours && { quietHours }),
    command: {
      accountId: account.id,
      jobId: newId('job'),
      message,
      ...parseJobName(name),
      ...(numbers && { numbers }),
      ...parseJobTimes({ scheduledAt, expireAt }),
      ...parseHold(hold),
      ...parseMaxSpend(maxSpend),
    },
  };
}

/** Returns the fields of a command that a dry run has, too. */
export function estimatedOf({
  scheduledAt,
  hold: _held,
  name: _name,
  expireAt: _expiry,
  ...command
}: NewJobCommand): Omit<NewJobCommand, 'hold' | 'expireAt' | 'name'> {
  return { ...command, ...(scheduledAt !== undefined && { scheduledAt }) };
}

/** @throws AppError as `parseBody`, with the field of the recipients listed among missing fields */
function messageOf(content: object, missing: string | undefined): MessageContent {
  try {
    return parseBody(MessageContent, content);
  } catch (error) {
    if (missing !== undefined && error instanceof AppError) throw alsoMissing(error, missing);
    throw error;
  }
}

/** Returns no fields for a body that is not an object; the message's own validation rejects it. */
function bodyOf(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  parseBody(MessageContent, body);
  return {};
}
