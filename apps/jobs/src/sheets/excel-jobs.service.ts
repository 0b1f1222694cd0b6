import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import {
  AppError,
  type CreatedJob,
  type CreateExcelJobCommand,
  type EstimateExcelJobCommand,
  ERRORS,
  type JobEstimate,
  type JobRow,
  type JobRowFault,
  type MessageContent,
  SHEET_MAX_BYTES,
  unfillable,
} from '@switchboard/contracts';
import { LOGGER, type Logger } from '@switchboard/platform';
import { EstimateJobService } from '../estimates/estimate-job.service';
import { CreateJobService } from '../jobs/create-job.service';
import { type CheckedJob, JobCheck } from '../jobs/job-check';
import { beginningOf, type NewJob } from '../jobs/new-job';
import { giveUpAt } from '../jobs/prepare-job';
import { variablesOfTemplate } from '../jobs/row-components';
import { type SheetHeader, shownNames } from './header';
import type { RowProblem, SheetPiece, SheetRow } from './read-sheet';
import { SheetReader } from './sheet-reader';

const LATE = `${ERRORS.UNAVAILABLE.message}: the file could not be read in time; nothing was made of it`;

/** Signal that aborts with UNAVAILABLE at a given time, unless it is stopped first. */
class Deadline {
  private readonly controller = new AbortController();
  private readonly timer?: NodeJS.Timeout;

  /** @param at time on the clock of `performance.now()`; undefined for never */
  constructor(at: number | undefined) {
    if (at !== undefined)
      this.timer = setTimeout(
        () => this.controller.abort(new AppError('UNAVAILABLE', { message: LATE })),
        at - performance.now(),
      );
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

/**
 * Converts the rows of a sheet to recipients of a job. The columns' keys become the names of the variables.
 * @param forAllRows variables with a value for all rows, which an empty cell keeps
 */
function rowsUnder(keys: readonly string[], rows: readonly SheetRow[], forAllRows: ReadonlySet<string>): JobRow[] {
  const given = (values: readonly string[]): [string, string][] =>
    keys
      .map((key, index): [string, string] => [key, values[index] ?? ''])
      .filter(([key, value]) => value.trim() !== '' || !forAllRows.has(key));
  return rows.map(({ row, phone, values, clientRef, problem }) => ({
    position: row,
    phone,
    ...(keys.length > 0 && { variables: Object.fromEntries(given(values)) }),
    ...(clientRef !== undefined && { clientRef }),
    ...(problem && { fault: faultOf(problem) }),
  }));
}

const CODES = { phone: 'INVALID_PHONE', variable: 'TEMPLATE_PARAMS_MISMATCH' } as const;

function faultOf({ kind, message }: RowProblem): JobRowFault {
  if (kind === 'length') return { code: 'TEXT_TOO_LONG', message };
  return { code: CODES[kind], message: `${ERRORS[CODES[kind]].message}: ${message}` };
}

type SheetCommand = Pick<
  CreateExcelJobCommand,
  'accountId' | 'message' | 'numbers' | 'blobKey' | 'maxRows' | 'maxSpend'
>;
/** Job that a file describes, without id and times. */
type SheetJob = Pick<NewJob, 'accountId' | 'type' | 'message' | 'checked' | 'deadline' | 'file'>;

/** Creates and estimates bulk jobs from spreadsheets. */
@Injectable()
export class ExcelJobsService {
  // eslint-disable-next-line max-params -- injected by Nest: creations and estimates read the same files
  constructor(
    @Inject(BLOBS) private readonly blobs: BlobStore,
    private readonly reader: SheetReader,
    private readonly createJobs: CreateJobService,
    private readonly estimates: EstimateJobService,
    private readonly jobCheck: JobCheck,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Reads the file and creates the job with all its rows, or creates nothing. If the job exists, returns its first
   * result. Always deletes the file; the sweep deletes files left by a crash.
   * @param deadline time at which the caller stops waiting, on the clock of `performance.now()`; no job is created
   * after it
   * @throws AppError FILE_INVALID, BULK_LIMIT_EXCEEDED; RATE_LIMITED when too many files of the account wait;
   * UNAVAILABLE when no time is left; errors of a template send; errors of `CreateJobService.createJob`
   */
  createExcelJob(command: CreateExcelJobCommand, deadline: number | undefined): Promise<CreatedJob> {
    return this.deletingFile(
      command,
      async () =>
        (await this.createJobs.findCreated(command)) ??
        (await this.readJob(command, deadline, (job, rows) =>
          this.createJobs.createJob({ ...job, jobId: command.jobId, ...beginningOf(command) }, () => rows),
        )),
    );
  }

  /**
   * Reads the file and estimates its job. Always deletes the file.
   * @throws AppError as `createExcelJob`
   */
  estimateExcelJob(command: EstimateExcelJobCommand, deadline: number | undefined): Promise<JobEstimate> {
    return this.deletingFile(command, () =>
      this.readJob(command, deadline, (job, rows) =>
        this.estimates.estimateJob({ ...job, ...beginningOf(command) }, () => rows),
      ),
    );
  }

  private async deletingFile<Result>({ blobKey }: SheetCommand, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } finally {
      await this.blobs
        .delete(blobKey)
        .catch((error: unknown) => this.logger.warn({ err: error, blobKey }, 'sheet.delete-failed'));
    }
  }

  /** Checks the job, opens its file, and calls `use` with the job and its rows. */
  private async readJob<Result>(
    command: SheetCommand,
    deadline: number | undefined,
    use: (job: SheetJob, rows: AsyncIterable<readonly JobRow[]>) => Promise<Result>,
  ): Promise<Result> {
    const { accountId, message, blobKey, maxRows } = command;
    const checked = await this.jobCheck.checkNumbers(accountId, message, command);
    // If the file has not been read by this time, no job is created, and the caller gets the error.
    const givenUpAt = giveUpAt(deadline);
    const timer = new Deadline(givenUpAt);
    const pieces = this.reader.read(() => this.load(blobKey), { accountId, rows: maxRows, signal: timer.signal });
    try {
      const { header, format } = await headerOf(pieces);
      const keys = matchingKeys(header, checked, message);
      const file = { sheet: format, warnings: [] };
      const job = { accountId, type: 'excel' as const, message, checked, deadline: givenUpAt, file };
      return await use(job, newRows({ keys, forAllRows: forAllRows(message) }, pieces, file));
    } finally {
      timer.stop();
      await pieces.return(undefined);
    }
  }

  private async load(blobKey: string): Promise<Uint8Array<ArrayBuffer>> {
    // A missing file is not the caller's error: the caller may upload it again.
    const { stream, bytes } = await this.blobs.get(blobKey).catch((error: unknown) => {
      throw new AppError('UNAVAILABLE', { cause: error });
    });
    if (bytes > SHEET_MAX_BYTES) {
      stream.destroy();
      throw new AppError('PAYLOAD_TOO_LARGE', {
        message: `the file is too large: at most ${SHEET_MAX_BYTES / 1_048_576} MB`,
      });
    }
    const file = new Uint8Array(bytes);
    let at = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      file.set(chunk, at);
      at += chunk.length;
    }
    return file;
  }
}

/** Returns the variables with a value for all rows. */
const forAllRows = ({ template }: MessageContent): ReadonlySet<string> =>
  new Set(Object.keys(template?.variables ?? {}));

/** Returns the header, which is the first piece. */
async function headerOf(pieces: AsyncGenerator<SheetPiece>): Promise<Extract<SheetPiece, { header: SheetHeader }>> {
  const { value } = await pieces.next();
  if (!value || !('header' in value)) throw new Error('the sheet was read without a header');
  return value;
}

/** @param file receives the warnings, which follow the rows */
async function* newRows(
  { keys, forAllRows }: { keys: readonly string[]; forAllRows: ReadonlySet<string> },
  pieces: AsyncIterable<SheetPiece>,
  file: NonNullable<NewJob['file']>,
): AsyncGenerator<JobRow[]> {
  for await (const piece of pieces) {
    if ('rows' in piece) yield rowsUnder(keys, piece.rows, forAllRows);
    else if ('warnings' in piece) file.warnings = piece.warnings;
  }
}

/**
 * Returns the keys of the template's variables that the columns fill.
 * @throws AppError TEMPLATE_PARAMS_MISMATCH for a column without a variable, or a variable without a column and without
 * a value for all rows, because it would affect every row
 */
function matchingKeys(
  { variables: columns }: SheetHeader,
  { template }: CheckedJob,
  message: MessageContent,
): string[] {
  const wanted = template ? variablesOfTemplate(template) : [];
  const unsendable = unfillable(wanted);
  if (unsendable !== undefined) throw misfit(unsendable);
  const byKey = new Map(wanted.map((variable) => [variable.key.toLowerCase(), variable]));
  const unknown = columns.filter(({ key }) => !byKey.has(key)).map(({ title }) => title);
  const given = new Set(columns.map(({ key }) => key));
  const sentForAll = forAllRows(message);
  const missing = wanted.filter(
    ({ key, isOptional }) => !isOptional && !given.has(key.toLowerCase()) && !sentForAll.has(key),
  );
  const reasons = [
    ...(missing.length > 0
      ? [
          `the spreadsheet lacks the ${missing.length === 1 ? 'column' : 'columns'} ${quoted(missing.map(({ column }) => column))}`,
        ]
      : []),
    ...(unknown.length > 0
      ? [`the template has no variable for the ${unknown.length === 1 ? 'column' : 'columns'} ${quoted(unknown)}`]
      : []),
  ];
  if (reasons.length === 0) return columns.map(({ key }) => byKey.get(key)?.key ?? key);
  throw misfit(reasons.join(', and '));
}

/** Quotes the names, because a column may be named like a word of the sentence. */
const quoted = (names: readonly string[]): string => shownNames(names.map((name) => `"${name}"`));

function misfit(reason: string): AppError {
  return new AppError('TEMPLATE_PARAMS_MISMATCH', {
    message: `${ERRORS.TEMPLATE_PARAMS_MISMATCH.message}: ${reason}`,
  });
}
