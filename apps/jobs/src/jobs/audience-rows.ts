import { Injectable } from '@nestjs/common';
import {
  AppError,
  type AudienceMember,
  AUDIENCE_PAGE_MAX,
  inParts,
  type JobAudience,
  type JobRow,
  jsonBytes,
  type ListAudienceReply,
  type MessageContent,
  PART_BYTES,
  TemplateFiller,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import type { CheckedJob } from './job-check';
import { refuseLate } from './prepare-job';
import { variablesOfTemplate } from './row-components';

/**
 * Maximum size of the values of all rows as JSON. Rows with names repeat the values of the job's template, and all rows
 * are stored in one transaction.
 */
const VALUES_MAX_BYTES = 134_217_728;

/** Characters without a visible glyph. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Z}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/gu;

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
   * Reads all contacts of the audience page by page, and prefetches the next page while the caller processes the
   * current one. Stores nothing, so a repeated creation reads them again.
   * @throws AppError BULK_LIMIT_EXCEEDED as soon as more contacts match than allowed; TEXT_TOO_LONG if the values of
   * all rows are too large; an error of the name variables; NOT_FOUND for an unknown label; UNAVAILABLE after the
   * deadline
   */
  async *batchesOf(
    { accountId, audience, message, deadline }: AudienceOfJob,
    checked: Pick<CheckedJob, 'template'>,
  ): AsyncGenerator<readonly JobRow[]> {
    const { maxRecipients, nameVariables = [], ...filters } = audience;
    const names = new NameRows(message, checked, nameVariables);
    let count = 0;
    let bytes = 0;
    const read = (after?: string): Promise<ListAudienceReply> => {
      refuseLate({ deadline });
      const page = this.messaging.listAudience({
        accountId,
        audience: filters,
        limit: AUDIENCE_PAGE_MAX,
        ...(after !== undefined && { after }),
      });
      // The caller may stop before it asks for this page.
      page.catch(() => undefined);
      return page;
    };
    let reading: Promise<ListAudienceReply> | undefined = read();
    while (reading !== undefined) {
      const { members, next }: ListAudienceReply = await reading;
      const rows = members.map((member, index) => names.rowOf(member, count + index));
      count += members.length;
      if (count > maxRecipients)
        throw new AppError('BULK_LIMIT_EXCEEDED', {
          message: `too many recipients for your plan: more than ${maxRecipients} contacts match`,
        });
      bytes += rows.reduce((sum, row) => sum + names.bytesOf(row), 0);
      if (bytes > VALUES_MAX_BYTES)
        throw new AppError('TEXT_TOO_LONG', {
          message: `the template values of all contacts exceed ${VALUES_MAX_BYTES / 1_048_576} MB: choose fewer contacts or shorter values`,
        });
      reading = next === null ? undefined : read(next);
      yield* inParts(rows, { items: AUDIENCE_PAGE_MAX, bytes: PART_BYTES });
    }
  }
}

/** Makes the rows of contacts, with their names as values of variables. */
export class NameRows {
  /** Values of the job's template by key. */
  private readonly values: Record<string, unknown> = {};
  /** Keys of the variables that get the name. */
  private readonly keys: readonly string[] = [];
  /** Size of the values and components of a row with a name, without the names. */
  private readonly bytesWithoutNames: number = 0;

  /**
   * @throws AppError TEMPLATE_PARAMS_MISMATCH for a name that is not a variable of the template; INVALID_PARAMETER for
   * name variables together with components that variables exclude
   */
  constructor(
    { template: given }: MessageContent,
    { template }: Pick<CheckedJob, 'template'>,
    nameVariables: readonly string[],
  ) {
    if (nameVariables.length === 0 || !given || !template) return;
    const { variables = {}, components = [] } = given;
    const filler = new TemplateFiller(variablesOfTemplate(template), { own: components });
    const names = Object.fromEntries(nameVariables.map((name) => [name, '']));
    const fault = filler.faultOfNames(names) ?? filler.faultOfOwn(names);
    if (fault) throw new AppError(fault.code, { message: fault.message });
    this.values = filler.valuesByKey(variables);
    this.keys = Object.keys(filler.valuesByKey(names));
    this.bytesWithoutNames = jsonBytes(this.values) + jsonBytes(components);
  }

  /**
   * Returns a contact's row. It has all values of the job's template beside the name, because a row that fills a part
   * of a component must fill it completely. Without a visible name, the row has no values, so those of the template
   * apply.
   */
  rowOf({ recipient, name }: AudienceMember, position: number): JobRow {
    const row = { position, phone: recipient };
    const shown = name?.replace(/\s+/g, ' ').trim() ?? '';
    if (this.keys.length === 0 || shown.replace(INVISIBLE, '') === '') return row;
    return { ...row, variables: { ...this.values, ...Object.fromEntries(this.keys.map((key) => [key, shown])) } };
  }

  /** Returns about how many bytes of JSON the values of a row take; 0 without a name. */
  bytesOf({ variables }: JobRow): number {
    const [key = ''] = this.keys;
    if (!variables || Array.isArray(variables)) return 0;
    return this.bytesWithoutNames + this.keys.length * Buffer.byteLength(String(variables[key]));
  }
}
