import { Inject, Injectable } from '@nestjs/common';
import { timeOfId, type UpstreamMessagesReceivedV1 } from '@switchboard/contracts';
import { LOGGER, type Logger } from '@switchboard/platform';
import type { UpstreamMessagesValue } from '@switchboard/upstream';
import type { NumberOwner } from '../numbers/numbers.queries';
import { OwnerCache } from '../numbers/owner-cache';
import { readEchoChanges, readEchoes } from './echoes';
import { type InboundMessage, readCalls, readInbound } from './inbound-messages';
import { InboundService } from './inbound.service';
import { readOptOuts } from './user-preferences';
import { readChanges } from './message-changes';
import { readStatuses } from './status-updates';
import { StatusesService } from './statuses.service';
import { storable } from '../upstream/storable';
import { UnroutableCallbacks } from './unroutable-callbacks.service';

/** Applies callbacks of the upstream platform. A repeated callback changes nothing and publishes no events. */
@Injectable()
export class CallbacksService {
  constructor(
    private readonly owners: OwnerCache,
    private readonly statuses: StatusesService,
    private readonly inbound: InboundService,
    private readonly unroutable: UnroutableCallbacks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Applies statuses and inbound messages in separate transactions, each with its events. The two lock the same rows in
   * different orders, and either can be repeated alone if the other fails.
   */
  async applyCallback(callback: UpstreamMessagesReceivedV1): Promise<void> {
    const startedAt = performance.now();
    const { callbackId } = callback;
    const value = storable<UpstreamMessagesValue>({ ...callback.value });
    const phoneNumberId = String(value.metadata?.phone_number_id ?? '');
    const owner = await this.owners.ownerOf(phoneNumberId);
    if (!owner) return this.unroutable.store(phoneNumberId, { ...callback, value });
    const facts = await this.apply(owner, value, callback);
    this.logErrors(callbackId, owner, value);
    await this.note(callbackId, owner);
    const durationMs = Math.round(performance.now() - startedAt);
    // Statuses arrive by the thousand, so each batch has one log line, and single callbacks are logged only at level
    // debug.
    const isRare = value.messages || value.calls || value.user_preferences || value.message_echoes;
    const level = isRare ? 'info' : 'debug';
    this.logger[level](
      { callbackId, accountId: owner.accountId, numberId: owner.id, ...facts, durationMs },
      'callback.applied',
    );
  }

  private async apply(
    owner: NumberOwner,
    value: UpstreamMessagesValue,
    { callbackId, offset }: UpstreamMessagesReceivedV1,
  ): Promise<object> {
    const now = new Date();
    const statuses = readStatuses(value.statuses ?? [], now);
    const messages = [...readInbound(value, now, offset), ...readCalls(value, now)];
    const changes = readChanges(value, now);
    const optOuts = readOptOuts(value, now);
    const applied = statuses.length > 0 ? await this.statuses.applyStatuses(owner, statuses) : {};
    const arrivedAt = timeOfId('cb', callbackId) ?? now;
    const stored = messages.length > 0 ? await this.storeInbound(owner, messages, arrivedAt) : {};
    // Apply changes after the messages to which they may refer. Each step can be repeated alone.
    const changed = changes.length > 0 ? await this.inbound.applyChanges(owner, changes) : 0;
    if (optOuts.length > 0) await this.inbound.recordOptOuts(owner, optOuts);
    const echoed = await this.applyEchoes(owner, value, { now, arrivedAt });
    return {
      statuses: statuses.length,
      inbound: messages.length,
      optOuts: optOuts.length,
      changed,
      ...applied,
      ...stored,
      ...echoed,
    };
  }

  private async storeInbound(
    owner: NumberOwner,
    messages: readonly InboundMessage[],
    arrivedAt: Date,
  ): Promise<object> {
    const { stored, optOuts } = await this.inbound.storeMessages(owner, messages, arrivedAt);
    return { stored: stored.length, messageIds: stored, optOuts };
  }

  /** Applies messages and changes from the business's phone app. Messages precede their edits and deletions. */
  private async applyEchoes(
    owner: NumberOwner,
    value: UpstreamMessagesValue,
    { now, arrivedAt }: { now: Date; arrivedAt: Date },
  ): Promise<object> {
    const echoes = readEchoes(value, now);
    const changes = readEchoChanges(value, now);
    const echoed = await this.inbound.applyEchoes(owner, { echoes, changes }, arrivedAt);
    return echoes.length + changes.length > 0 ? echoed : {};
  }

  /** Records the time of the last callback. It is informational, so a failure does not affect the callback. */
  private async note(callbackId: string, owner: NumberOwner): Promise<void> {
    try {
      await this.owners.noteCallback(owner);
    } catch (error) {
      this.logger.warn({ callbackId, numberId: owner.id, err: error }, 'callback.time-not-stored');
    }
  }

  /** Logs errors of the number itself. Their text is from upstream and contains no personal data. */
  private logErrors(callbackId: string, { accountId, id }: NumberOwner, { errors = [] }: UpstreamMessagesValue): void {
    for (const { code, title } of errors)
      this.logger.warn({ callbackId, accountId, numberId: id, code, title }, 'number.error-reported');
  }
}
