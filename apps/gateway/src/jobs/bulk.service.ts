import { Injectable } from '@nestjs/common';
import {
  alsoMissing,
  AppError,
  type CreatedJob,
  type JobEstimate,
  MessageContent,
  parseBody,
  withOwnContent,
} from '@switchboard/contracts';
import { JobsClient } from '@switchboard/service-clients';
import { partsOf } from './bulk-parts';
import { parseNumbers } from './given-numbers';
import { givenRecipients } from './given-recipients';
import { requireOneCaption } from '../messages/one-caption';
import type { JobMaker } from './job-maker';
import { parseDryRun, parseHold, parseJobTimes } from './job-times';
import { parseMaxSpend } from './max-spend';

/** Number of parts uploaded concurrently. */
const PARTS_AT_A_TIME = 4;

@Injectable()
export class BulkService {
  constructor(private readonly jobs: JobsClient) {}

  /**
   * Creates a job from a bulk call, or estimates it for a dry run. Parts staged for a job that fails are deleted within
   * an hour.
   * @throws AppError as a send; BULK_LIMIT_EXCEEDED; 422 if no recipient is valid
   */
  async create(body: unknown, { account, plan, newId, noted }: JobMaker): Promise<CreatedJob | JobEstimate> {
    // Excludes the recipients from validation, which would check every value.
    const {
      recipients,
      from: givenNumbers,
      scheduledAt,
      expireAt,
      hold,
      dryRun: given,
      maxSpend,
      ...content
    } = bodyOf(body);
    const dryRun = parseDryRun(given);
    const { numbers, from } = parseNumbers(givenNumbers);
    const named = { ...content, ...(from !== undefined && { from }) };
    const message = requireOneCaption(withOwnContent(messageOf(named, recipients)));
    const job = { accountId: account.id, jobId: newId('job') };
    const beginning = { ...parseJobTimes({ scheduledAt, expireAt }), ...parseHold(hold), ...parseMaxSpend(maxSpend) };
    const parts = partsOf(givenRecipients(recipients, plan.bulkRecipients));
    const rows = parts.pop() ?? [];
    for (let from = 0; from < parts.length; from += PARTS_AT_A_TIME) {
      const some = parts.slice(from, from + PARTS_AT_A_TIME);
      await Promise.all(some.map((part, index) => this.jobs.stageRows({ ...job, part: from + index, rows: part })));
    }
    const command = { ...job, message, ...(numbers && { numbers }), ...beginning, parts: parts.length, rows };
    if (dryRun) {
      const { scheduledAt: at, hold: _held, expireAt: _expiry, ...estimated } = command;
      return this.jobs.estimateJob({ ...estimated, ...(at !== undefined && { scheduledAt: at }) });
    }
    const make = (): Promise<CreatedJob> => {
      if (beginning.maxSpend || numbers) return this.jobs.createCappedJob(command);
      return beginning.hold ? this.jobs.createHeldJob(command) : this.jobs.createJob(command);
    };
    return noted ? noted(command, make) : make();
  }
}

/** @throws AppError as `parseBody`, with `recipients` listed among missing fields */
function messageOf(content: object, recipients: unknown): MessageContent {
  try {
    return parseBody(MessageContent, content);
  } catch (error) {
    if (recipients === undefined && error instanceof AppError) throw alsoMissing(error, 'recipients');
    throw error;
  }
}

/** Returns no fields for a body that is not an object; the message's own validation rejects it. */
function bodyOf(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  parseBody(MessageContent, body);
  return {};
}
