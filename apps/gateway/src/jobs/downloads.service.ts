import { Injectable } from '@nestjs/common';
import { AppError, PAGE_ITEMS_MAX, type RecipientRecord, templateMissing } from '@switchboard/contracts';
import { JobsClient, TemplatesClient } from '@switchboard/service-clients';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireId } from '../http/path-ids';
import { sendDownload } from '../http/send-download';
import type { SampleQuery } from './excel-fields';
import { type FileKind, type ResultsQuery, resultsHeaders, SAMPLE_HEADERS } from './file-responses';
import type { ConsoleUser } from '../request-context/console-user';
import { readableTable } from './readable-results';
import { csvFile, xlsxFile } from './result-files';
import { sampleSheet } from './sample-sheet';

/** Maximum languages of a template that an error lists. */
const MOST_LANGUAGES = 20;

/** Rows of a page with their values, which are larger than those without. */
const VALUES_PAGE = 200;

const WRITERS = { csv: csvFile, xlsx: xlsxFile };

/** Creates the files of bulk jobs, results and sample spreadsheets, for the API and the dashboard. */
@Injectable()
export class DownloadsService {
  constructor(
    private readonly templates: TemplatesClient,
    private readonly jobs: JobsClient,
  ) {}

  /** Sends a sample spreadsheet. @throws AppError TEMPLATE_NOT_FOUND */
  async sendSample(accountId: string, query: SampleQuery, reply: FastifyReply): Promise<void> {
    const file = await this.sample(accountId, query);
    await reply.headers(SAMPLE_HEADERS).send(file);
  }

  /** Sends a file with the states of a job's recipients. @throws AppError NOT_FOUND */
  async sendResults(
    { accountId, jobId: given, status, kind }: ResultsQuery & { accountId: string; jobId: string; kind: FileKind },
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ): Promise<void> {
    const jobId = requireId('job', given);
    const { pages } = await this.results(accountId, { jobId, status });
    reply.headers(resultsHeaders(jobId, { status, kind }));
    if (request.method === 'HEAD') return void (await reply.send());
    await sendDownload(WRITERS[kind](pages), { request, reply });
  }

  /**
   * Sends a spreadsheet of a job's results for people, with the values of the rows and times in the account's time
   * zone.
   * @throws AppError NOT_FOUND
   */
  async sendReadableResults(
    { id: accountId, timeZone }: Pick<ConsoleUser['account'], 'id' | 'timeZone'>,
    { jobId: given, status }: ResultsQuery & { jobId: string },
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ): Promise<void> {
    const jobId = requireId('job', given);
    const { job } = await this.jobs.getJob({ accountId, jobId });
    const { first, pages } = await this.results(accountId, { jobId, status, withValues: true });
    reply.headers(resultsHeaders(jobId, { status, kind: 'xlsx' }));
    if (request.method === 'HEAD') return void (await reply.send());
    await sendDownload(xlsxFile(pages, readableTable(job, first, timeZone ?? 'UTC')), { request, reply });
  }

  /**
   * Reads the results of a job's recipients, optionally of one status, page by page on demand. When this resolves, the
   * first page has been loaded.
   * @throws AppError NOT_FOUND
   */
  private async results(
    accountId: string,
    { jobId, status, withValues = false }: ResultsQuery & { jobId: string; withValues?: boolean },
  ): Promise<{ first: readonly RecipientRecord[]; pages: AsyncGenerator<RecipientRecord[]> }> {
    const page = (cursor?: string) =>
      this.jobs.listRecipients({
        accountId,
        jobId,
        page: 1,
        limit: withValues ? VALUES_PAGE : PAGE_ITEMS_MAX,
        ...(withValues && { withValues }),
        ...(status !== undefined && { status }),
        ...(cursor !== undefined && { cursor }),
      });
    const first = await page();
    const pages = (async function* () {
      let current = first;
      for (;;) {
        yield current.recipients;
        if (current.nextCursor === null) return;
        current = await page(current.nextCursor);
      }
    })();
    return { first: first.recipients, pages };
  }

  /**
   * Creates a sample spreadsheet for a template, or a generic one without a template.
   * @throws AppError TEMPLATE_NOT_FOUND if the account has no approved template with this name and language
   */
  private async sample(accountId: string, { templateName, language }: SampleQuery): Promise<Buffer> {
    if (templateName === undefined) return sampleSheet(undefined);
    // Only this list includes the samples of templates. It filters by prefix, and an exact match is first.
    const wanted = { name: templateName, language, status: 'APPROVED' as const, limit: 1 };
    const [template] = (await this.templates.searchTemplates({ accountId, ...wanted })).templates;
    if (template?.name !== templateName) throw await this.missing(accountId, templateName);
    return sampleSheet(template);
  }

  /** Creates an error that lists the available languages, like that of a send. */
  private async missing(accountId: string, name: string): Promise<AppError> {
    const wanted = { accountId, name, status: 'APPROVED' as const, limit: MOST_LANGUAGES };
    const { templates } = await this.templates.searchTemplates(wanted);
    const languages = templates.filter((template) => template.name === name).map(({ language }) => language);
    return templateMissing(name, languages);
  }
}
