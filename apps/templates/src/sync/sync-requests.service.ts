import { Injectable } from '@nestjs/common';
import { type Delivery, isFirstDelivery } from '@switchboard/broker';
import {
  numberAddedV1,
  type NumberAddedV1,
  storableText,
  type UpstreamTemplateChangedV1,
} from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { inTransit, SecretBox } from '@switchboard/platform';
import type { UpstreamTemplateValue } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import { storableJson } from './storable-json';
import { SyncService } from './sync.service';
import { tokenPlace } from '../upstream/token-place';
import { addAccount, recordCallback } from './upstream-accounts.queries';

/** Schedules syncs after events of other services. Several consecutive callbacks cause one sync. */
@Injectable()
export class SyncRequests {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly sync: SyncService,
    private readonly box: SecretBox,
  ) {}

  /** Schedules an immediate sync of the account's business, followed by periodic ones. Idempotent. */
  async addAccount(event: NumberAddedV1): Promise<void> {
    const { accountId, wabaId } = event;
    const accessToken = this.box.open(
      event.sealedAccessToken,
      inTransit(numberAddedV1, 'sealedAccessToken', accountId),
    );
    await addAccount(this.dataSource, {
      ...event,
      sealedAccessToken: this.box.seal(accessToken, tokenPlace({ accountId, wabaId })),
    });
    this.sync.wakeup.wake();
  }

  /**
   * Stores the callback (spec §10.1.9) and schedules a sync of the business (spec §10.1.7), because the callback itself
   * is not authoritative.
   */
  async recordCallback({ wabaId, field, value }: UpstreamTemplateChangedV1, delivery: Delivery): Promise<void> {
    const { message_template_id: templateId, reason, other_info: pause } = value as UpstreamTemplateValue;
    await this.transactions.run(async (tx) => {
      if (!(await isFirstDelivery(tx, delivery))) return;
      await recordCallback(tx, {
        wabaId,
        field,
        templateId: textOf(templateId),
        reason: reason === 'NONE' || !reason ? textOf(pause?.title) : textOf(reason),
        raw: storableJson(value),
      });
    });
    this.sync.wakeup.wake();
  }
}

/** Maximum length in characters. The reasons of the upstream platform are shorter. */
const MAX_TEXT = 1_000;

/** Returns an id or a reason as text. Ids arrive as numbers or strings. Null for any other type. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? storableText(String(value).slice(0, MAX_TEXT)) : null;
}
