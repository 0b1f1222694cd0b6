import { Injectable } from '@nestjs/common';
import {
  AppError,
  type AudienceMember,
  AUDIENCE_PAGE_MAX,
  inParts,
  type JobAudience,
  type JobRow,
  type MessageContent,
  PART_BYTES,
  type TemplateValues,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { refuseLate } from './prepare-job';

/** Audience of a job that is created or estimated. */
export interface AudienceOfJob {
  accountId: string;
  audience: JobAudience;
  message: MessageContent;
  /** Time at which the caller stops waiting, on the clock of `performance.now()`. */
  deadline?: number;
}

/** Reads the recipients of a job from the contacts that messaging stores. */
@Injectable()
export class AudienceRows {
  constructor(private readonly messaging: MessagingClient) {}

  /**
   * Reads all contacts of the audience, page by page. Stores nothing, so a repeated creation reads them again.
   * @throws AppError BULK_LIMIT_EXCEEDED as soon as more contacts match than allowed; NOT_FOUND for an unknown label;
   * UNAVAILABLE after the deadline
   */
  async *batchesOf({ accountId, audience, message, deadline }: AudienceOfJob): AsyncGenerator<readonly JobRow[]> {
    const { maxRecipients, nameVariables = [], ...filters } = audience;
    let count = 0;
    let after: string | null = null;
    do {
      refuseLate({ deadline });
      const page: { members: AudienceMember[]; next: string | null } = await this.messaging.listAudience({
        accountId,
        audience: filters,
        limit: AUDIENCE_PAGE_MAX,
        ...(after !== null && { after }),
      });
      const first = count;
      count += page.members.length;
      if (count > maxRecipients)
        throw new AppError('BULK_LIMIT_EXCEEDED', {
          message: `too many recipients for your plan: more than ${maxRecipients} contacts match`,
        });
      const rows = page.members.map((member, index) => rowOf(member, first + index, { nameVariables, message }));
      yield* inParts(rows, { items: AUDIENCE_PAGE_MAX, bytes: PART_BYTES });
      after = page.next;
    } while (after !== null);
  }
}

/**
 * Returns a contact's row. It has all values of the job's template beside the name, because a row that fills a part of
 * a component must fill it completely. Without a name, the row has no values, so those of the template apply.
 */
export function rowOf(
  { recipient, name }: AudienceMember,
  position: number,
  { nameVariables, message: { template } }: { nameVariables: readonly string[]; message: MessageContent },
): JobRow {
  const shown = name?.replace(/\s+/g, ' ').trim() ?? '';
  if (shown === '' || nameVariables.length === 0) return { position, phone: recipient };
  const names = Object.fromEntries(nameVariables.map((variable) => [variable, shown]));
  return { position, phone: recipient, variables: { ...valuesByName(template?.variables), ...names } };
}

/** Returns no values for a list, which has only values of the body. */
const valuesByName = (values: TemplateValues | undefined): Record<string, unknown> =>
  values === undefined || Array.isArray(values) ? {} : values;
