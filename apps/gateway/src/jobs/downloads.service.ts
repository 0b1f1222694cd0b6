import { Injectable } from '@nestjs/common';
import {
  AppError,
  PAGE_ITEMS_MAX,
  type RecipientRecord,
  type RecipientStatus,
  templateMissing,
} from '@switchboard/contracts';
import { JobsClient, TemplatesClient } from '@switchboard/service-clients';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireId } from '../http/path-ids';
import { sendDownload } from '../http/send-download';
import type { SampleQuery } from './excel-fields';
import { type FileKind, type ResultsQuery, resultsHeaders, SAMPLE_HEADERS } from './file-responses';
import { csvFile, xlsxFile } from './result-files';
import { sampleSheet } from './sample-sheet';

/** Maximum languages of a template that an error lists. */
const MOST_LANGUAGES = 20;

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
    const pages = await this.results(accountId, jobId, status);
    reply.headers(resultsHeaders(jobId, { status, kind }));
    if (request.method === 'HEAD') return void (await reply.send());
    await sendDownload(WRITERS[kind](pages), { request, reply });
  }

  /**
   * Reads the results of a job's recipients, optionally of one status, page by page on demand. When this resolves, the
   * first page has been loaded.
   * @throws AppError NOT_FOUND
   */
  private async results(
    accountId: string,
    jobId: string,
    status?: RecipientStatus,
  ): Promise<AsyncGenerator<RecipientRecord[]>> {
    const page = (cursor?: string) =>
      this.jobs.listRecipients({
        accountId,
        jobId,
        page: 1,
        limit: PAGE_ITEMS_MAX,
        ...(status !== undefined && { status }),
        ...(cursor !== undefined && { cursor }),
      });
    const first = await page();
    return (async function* () {
      let current = first;
      for (;;) {
        yield current.recipients;
        if (current.nextCursor === null) return;
        current = await page(current.nextCursor);
      }
    })();
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
