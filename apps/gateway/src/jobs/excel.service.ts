import { Inject, Injectable } from '@nestjs/common';
import { AppError, type CreatedJob, type JobEstimate, SHEET_ROWS_MAX } from '@switchboard/contracts';
import type { FastifyRequest } from 'fastify';
import { CONFIG } from '@switchboard/platform';
import { JobsClient } from '@switchboard/service-clients';
import { IdempotencyService } from '../idempotency/idempotency.service';
import type { ExcelFields } from './excel-fields';
import { parseFormNumbers } from './given-numbers';
import type { JobMaker } from './job-maker';
import { parseJobName } from './job-name';
import { parseDryRun, parseHold, parseJobTimes } from './job-times';
import { parseMaxSpend } from './max-spend';
import { parseQuietHours, QuietHoursService } from './quiet-hours';
import { parseSheetValues } from './sheet-values';
import { SheetUploadsService } from './sheet-uploads.service';
import type { GatewayConfig } from '../config';

/** Typical time in seconds until one of the account's spreadsheets has been processed. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Limits the account's spreadsheets in progress in this gateway, from first byte to response, and thereby the files on
 * disk.
 */
@Injectable()
export class UploadLimiter {
  private readonly taken = new Map<string, number>();

  constructor(@Inject(CONFIG) private readonly config: GatewayConfig) {}

  /**
   * @returns a function that releases the slot
   * @throws AppError RATE_LIMITED if the account has too many; nothing of the request has been read then
   */
  enter(accountId: string): () => void {
    const most = this.config.SHEETS_PER_ACCOUNT;
    const taken = this.taken.get(accountId) ?? 0;
    if (taken >= most) {
      const message = `rate limit exceeded: ${most} spreadsheets of your account are being uploaded or read; send the next one when one of them was answered`;
      throw new AppError('RATE_LIMITED', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.taken.set(accountId, taken + 1);
    return () => this.leave(accountId);
  }

  private leave(accountId: string): void {
    const left = (this.taken.get(accountId) ?? 0) - 1;
    if (left > 0) this.taken.set(accountId, left);
    else this.taken.delete(accountId);
  }
}

/** Creates bulk jobs from spreadsheets. */
@Injectable()
export class ExcelService {
  constructor(
    private readonly jobs: JobsClient,
    private readonly limiter: UploadLimiter,
    private readonly uploads: SheetUploadsService,
    private readonly idempotency: IdempotencyService,
    private readonly quiet: QuietHoursService,
  ) {}

  /**
   * Receives the form of a request and creates a job from its spreadsheet, or estimates it for a dry run.
   * @throws AppError for an invalid form, file or template, or if all rows are invalid; no job and no file remain then.
   * RATE_LIMITED, before anything is read, if the account has too many spreadsheets in progress
   */
  async createJob(request: FastifyRequest, maker: JobMaker): Promise<CreatedJob | JobEstimate> {
    const leave = this.limiter.enter(maker.account.id);
    try {
      return await this.receiveAndCreate(request, maker);
    } finally {
      leave();
    }
  }

  private async receiveAndCreate(
    request: FastifyRequest,
    { account, plan, newId, noted }: JobMaker,
  ): Promise<CreatedJob | JobEstimate> {
    const { fields, blobKey, sha256 } = await this.uploads.receive(request, account.id);
    const { templateName, language } = fields;
    // Discards the file after a disconnect, so that no job is created. Processing that has already started continues.
    const { socket } = request.raw;
    const onClose = (): void => void this.uploads.discard(blobKey);
    socket.once('close', onClose);
    try {
      const beginning = {
        ...parseJobName(fields.name),
        ...parseJobTimes(fields),
        ...parseHold(fields.hold),
        ...parseMaxSpend(fields.maxSpend),
        ...(await this.quiet.ofAccount(account.id, parseQuietHours(fields.quietHours))),
      };
      const dryRun = parseDryRun(fields.dryRun);
      // A dry run leaves the key unused, so that the real request can use it.
      if (!dryRun) await this.idempotency.begin(request, fingerprintOf(fields, sha256));
      const { numbers, from } = parseFormNumbers(fields.from);
      const message = {
        type: 'template' as const,
        template: { name: templateName, language: { code: language }, ...parseSheetValues(fields.variables) },
        ...(from !== undefined && { from }),
      };
      const maxRows = Math.min(plan.excelRows, SHEET_ROWS_MAX);
      const sheet = { accountId: account.id, blobKey, maxRows, message, ...(numbers && { numbers }) };
      const { scheduledAt, maxSpend, quietHours } = beginning;
      if (dryRun)
        return await this.jobs.estimateExcelJob({
          ...sheet,
          ...(scheduledAt !== undefined && { scheduledAt }),
          ...(maxSpend && { maxSpend }),
          ...(quietHours && { quietHours }),
        });
      const command = { ...sheet, jobId: newId('job'), ...beginning };
      const make = (): Promise<CreatedJob> => {
        if (maxSpend || numbers || quietHours) return this.jobs.createCappedExcelJob(command);
        return beginning.hold ? this.jobs.createHeldExcelJob(command) : this.jobs.createExcelJob(command);
      };
      return await (noted ? noted(command, make) : make());
    } catch (error) {
      // The jobs service deletes the file, unless it never received the command. Deleting it twice is harmless.
      await this.uploads.discard(blobKey);
      throw error;
    } finally {
      socket.off('close', onClose);
    }
  }
}

/**
 * Returns a text that is equal for equal forms. Omits the fields from `expireAt` on if absent,
 * because fingerprints of earlier versions lack these fields.
 */
function fingerprintOf(
  { templateName, language, from, scheduledAt, expireAt, hold, maxSpend, quietHours, name, variables }: ExcelFields,
  sha256: string,
): string {
  return JSON.stringify([
    templateName,
    language,
    from,
    scheduledAt,
    sha256,
    ...(expireAt === undefined ? [] : [expireAt]),
    ...(hold === undefined ? [] : [{ hold }]),
    ...(maxSpend === undefined ? [] : [{ maxSpend }]),
    ...(quietHours === undefined ? [] : [{ quietHours }]),
    ...(name === undefined ? [] : [{ name }]),
    ...(variables === undefined ? [] : [{ variables }]),
  ]);
}
