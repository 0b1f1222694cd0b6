import { Injectable } from '@nestjs/common';
import {
  type CountAudienceReply,
  type CreatedJob,
  JOB_POSITIONS_MAX,
  type JobEstimate,
  parseBody,
} from '@switchboard/contracts';
import { JobsClient, MessagingClient } from '@switchboard/service-clients';
import { fieldError } from '../http/field-error';
import { AudienceField, audienceOf, type AudienceQuery } from './given-audience';
import type { JobMaker } from './job-maker';
import { estimatedOf, parseJobRequest } from './job-request';
import { QuietHoursService } from './quiet-hours';

/** Counts contacts, and creates jobs from them. */
@Injectable()
export class AudienceService {
  constructor(
    private readonly jobs: JobsClient,
    private readonly messaging: MessagingClient,
    private readonly quiet: QuietHoursService,
  ) {}

  /** @throws AppError NOT_FOUND for an unknown label */
  count(accountId: string, query: AudienceQuery): Promise<CountAudienceReply> {
    return this.messaging.countAudience({ accountId, audience: audienceOf(query) });
  }

  /**
   * Creates a job whose recipients are contacts, or estimates it for a dry run. The jobs service reads the contacts
   * while it creates the job, so the gateway stores nothing.
   * @throws AppError as a send; NOT_FOUND for an unknown label; BULK_LIMIT_EXCEEDED; 422 if no contact matches
   */
  async create(body: unknown, maker: JobMaker): Promise<CreatedJob | JobEstimate> {
    const { recipients, dryRun, quietHours, command: parsed } = parseJobRequest(body, 'audience', maker);
    const { audience: given } = parseBody(AudienceField, { ...(recipients !== undefined && { audience: recipients }) });
    if (parsed.message.type !== 'template')
      throw fieldError('INVALID_VALUE', 'type', 'type must be template: other messages need an open service window');
    const { nameVariables = [] } = given;
    const audience = {
      ...audienceOf(given),
      maxRecipients: Math.min(maker.plan.bulkRecipients, JOB_POSITIONS_MAX),
      ...(nameVariables.length > 0 && { nameVariables }),
    };
    const command = { ...parsed, ...(await this.quiet.ofAccount(parsed.accountId, quietHours)) };
    if (dryRun) {
      const { jobId: _unused, ...estimated } = estimatedOf(command);
      return this.jobs.estimateAudienceJob({ ...estimated, audience });
    }
    const created = { ...command, audience };
    const make = (): Promise<CreatedJob> => this.jobs.createAudienceJob(created);
    return maker.noted ? maker.noted(created, make) : make();
  }
}
