import { Inject, Injectable } from '@nestjs/common';
import { AppError, notFound } from '@switchboard/contracts';
import { type Logger, LOGGER, SecretBox } from '@switchboard/platform';
import { type UpstreamClient, UpstreamError } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import { SyncService } from '../sync/sync.service';
import { requestSync, requestSyncSoon, sealedTokenOf } from '../sync/upstream-accounts.queries';
import { tokenPlace } from '../upstream/token-place';
import { UPSTREAM } from '../upstream/upstream.token';
import { findManaged, type ManagedRow } from './managed.queries';

const INVALID_PARAMETER = 100;
/** Shorter than the command's deadline, so that the caller always gets a response. */
const CALL_TIMEOUT_MS = 6_000;

/**
 * Deletes templates at the upstream platform. The following sync removes them from the database and publishes the
 * change.
 */
@Injectable()
export class DeletionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sync: SyncService,
    @Inject(UPSTREAM) private readonly upstream: UpstreamClient,
    private readonly box: SecretBox,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Deletes one template. Counts a template that is missing upstream as deleted.
   * @returns the number of other accounts that also lose it
   * @throws AppError NOT_FOUND, INVALID_VALUE when the platform does not allow the deletion, UPSTREAM_ERROR,
   * UPSTREAM_THROTTLED, UPSTREAM_TIMEOUT
   */
  async deleteTemplate(accountId: string, templateId: string): Promise<number> {
    const template = await findManaged(this.dataSource, accountId, templateId);
    if (!template) throw notFound('template');
    const { wabaId, name } = template;
    const accessToken = this.box.open(
      await sealedTokenOf(this.dataSource, accountId, wabaId),
      tokenPlace({ accountId, wabaId }),
    );
    // Request a sync first: it determines the outcome if this process dies or the response is lost.
    await requestSyncSoon(this.dataSource, wabaId);
    const refusal = await this.upstream
      .deleteTemplate({ wabaId, name, templateId, accessToken, timeoutMs: CALL_TIMEOUT_MS })
      .catch((error: unknown) => error);
    await requestSync(this.dataSource, wabaId);
    this.sync.wakeup.wake();
    if (refusal !== undefined && !(await this.isGone(refusal, template, accessToken))) throw answerTo(refusal);
    this.logger.info({ accountId, wabaId, templateId, name }, 'template.deleted');
    return template.otherAccounts;
  }

  /** Checks the upstream list, because the platform reports a missing template as an invalid parameter. */
  private async isGone(refusal: unknown, { wabaId, name, id }: ManagedRow, accessToken: string): Promise<boolean> {
    if (!(refusal instanceof UpstreamError) || refusal.kind !== 'rejected' || refusal.code !== INVALID_PARAMETER)
      return false;
    const listed = await this.upstream
      .listTemplates({ wabaId, name, accessToken, timeoutMs: CALL_TIMEOUT_MS })
      .catch((error: unknown) => error);
    return (
      typeof listed === 'object' &&
      listed !== null &&
      'templates' in listed &&
      !(listed.templates as { id: string }[]).some((template) => String(template.id) === id)
    );
  }
}

function answerTo(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error;
  const { kind, code, category, answer, details, title, retryAfterSeconds } = error;
  if (kind === 'rejected' && code === INVALID_PARAMETER && category !== 'auth')
    return new AppError('INVALID_VALUE', {
      message: `the upstream platform rejected the deletion: ${details ?? title}`,
      cause: error,
    });
  return new AppError(answer, { retryAfterSeconds, cause: error });
}
