import { Injectable } from '@nestjs/common';
import { isId } from '@switchboard/contracts';
import { withTimeout } from '@switchboard/platform';
import { JobsClient, MessagingClient, TemplatesClient, WebhooksClient } from '@switchboard/service-clients';
import pLimit from 'p-limit';
import { DataSource } from 'typeorm';
import { namesOf } from './audit-log';
import { withinDatabaseDeadline } from '../http/database-deadline';

/** Deadline for replies from other services, after which a page shows ids instead of names. */
const NAMES_DEADLINE_MS = 1_000;
/** Maximum concurrent lookups. A page may refer to about a hundred objects, and other requests need capacity. */
const ASKED_AT_A_TIME = 4;
const MOST_ASKED = 50;

type Names = [id: string, name: string][];

/** Resolves the names of objects, for an account's audit log and results. */
@Injectable()
export class AuditNames {
  constructor(
    private readonly dataSource: DataSource,
    private readonly messaging: MessagingClient,
    private readonly templates: TemplatesClient,
    private readonly jobs: JobsClient,
    private readonly webhooks: WebhooksClient,
  ) {}

  /** @returns names by id; omits objects that have no name, were deleted or were not resolved in time */
  async of(
    account: { id: string; name: string },
    given: readonly { action: string; id: string }[],
  ): Promise<Map<string, string>> {
    const accountId = account.id;
    const ids = [...new Set(given.map(({ id }) => id))];
    const about = (kind: string): string[] => [
      ...new Set(given.filter(({ action }) => action.startsWith(kind)).map(({ id }) => id)),
    ];
    const has = (prefix: Parameters<typeof isId>[0]): boolean => ids.some((id) => isId(prefix, id));
    const [own, others] = await Promise.all([
      withinDatabaseDeadline(namesOf(this.dataSource, accountId, ids)),
      inTurn([
        ...(has('ep') ? [() => this.endpoints(accountId)] : []),
        ...(has('lbl') ? [() => this.labels(accountId)] : []),
        ...(has('num') ? [() => this.numbers(accountId)] : []),
        ...about('template').map((id) => () => this.templateOrDraft(accountId, id)),
        ...about('media')
          .filter((id) => isId('med', id))
          .map((id) => () => this.file(accountId, id)),
        ...ids.filter((id) => isId('job', id)).map((id) => () => this.job(accountId, id)),
      ]),
    ]);
    return new Map([[accountId, account.name], ...own, ...others]);
  }

  /** @returns names by id of the jobs that have one */
  async ofJobs(accountId: string, jobIds: readonly string[]): Promise<Map<string, string>> {
    const nameOf = async (jobId: string): Promise<Names> => {
      const { name } = (await this.jobs.getJob({ accountId, jobId })).job;
      return name ? [[jobId, name]] : [];
    };
    return new Map(await inTurn(jobIds.map((jobId) => () => nameOf(jobId))));
  }

  private async endpoints(accountId: string): Promise<Names> {
    const { endpoints } = await this.webhooks.listEndpoints({ accountId });
    return endpoints.map(({ id, url }) => [id, url]);
  }

  private async labels(accountId: string): Promise<Names> {
    const { labels } = await this.messaging.listLabels({ accountId });
    return labels.map(({ id, name }) => [id, name]);
  }

  private async numbers(accountId: string): Promise<Names> {
    const { numbers } = await this.messaging.listNumbers({ accountId });
    return numbers.map(({ id, phoneNumber }) => [id, phoneNumber]);
  }

  private async job(accountId: string, jobId: string): Promise<Names> {
    const { job } = await this.jobs.getJob({ accountId, jobId });
    if (job.name) return [[jobId, job.name]];
    const recipients = `${job.total} ${job.total === 1 ? 'recipient' : 'recipients'}`;
    return [[jobId, `${job.template ?? 'Messages'} to ${recipients}`]];
  }

  private async file(accountId: string, mediaId: string): Promise<Names> {
    const { fileName } = await this.messaging.getMediaFile({ accountId, mediaId });
    return fileName === null ? [] : [[mediaId, fileName]];
  }

  private async templateOrDraft(accountId: string, id: string): Promise<Names> {
    if (id === accountId) return [];
    if (isId('med', id)) {
      const { sample } = await this.templates.getHeaderSample({ accountId, sampleId: id });
      return sample.filename === null ? [] : [[id, sample.filename]];
    }
    if (!isId('tpl', id)) {
      const { template } = await this.templates.showTemplate({ accountId, templateId: id });
      return [[id, `${template.name} (${template.language})`]];
    }
    const { draft } = await this.templates.getDraft({ accountId, draftId: id });
    return [[id, `${draft.name} (${draft.language})`]];
  }
}

/** Runs the lookups with limited concurrency until the deadline. @returns the results so far */
async function inTurn(asks: readonly (() => Promise<Names>)[]): Promise<Names> {
  const turns = pLimit(ASKED_AT_A_TIME);
  const late = (): Error => {
    turns.clearQueue();
    return new Error('late');
  };
  const lists = asks
    .slice(0, MOST_ASKED)
    .map((ask) => withTimeout(turns(ask), NAMES_DEADLINE_MS, late).catch((): Names => []));
  return (await Promise.all(lists)).flat();
}
