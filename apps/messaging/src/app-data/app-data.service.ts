import { Inject, Injectable } from '@nestjs/common';
import { timeOfId, type UpstreamAppDataReceivedV1 } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { LOGGER, type Logger } from '@switchboard/platform';
import type { UpstreamMessagesValue } from '@switchboard/upstream';
import { storable } from '../upstream/storable';
import { UnroutableCallbacks } from '../callbacks/unroutable-callbacks.service';
import { clearAppNames, setAppNames } from '../contacts/app-names';
import type { NumberOwner } from '../numbers/numbers.queries';
import { OwnerCache } from '../numbers/owner-cache';
import { readAppContacts } from './app-contacts';
import { isDeclined, readHistory, readProgress } from './history';
import { HistoryService } from './history.service';

/** Applies the data that the phone app of a business shares. Idempotent. */
@Injectable()
export class AppDataService {
  constructor(
    private readonly owners: OwnerCache,
    private readonly history: HistoryService,
    private readonly unroutable: UnroutableCallbacks,
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Stores the messages before their progress, so that the stored progress is never ahead of the messages. */
  async applyAppData(callback: UpstreamAppDataReceivedV1): Promise<void> {
    const startedAt = performance.now();
    const { callbackId } = callback;
    const value = storable<UpstreamMessagesValue>({ ...callback.value });
    const phoneNumberId = String(value.metadata?.phone_number_id ?? '');
    const owner = await this.owners.ownerOf(phoneNumberId);
    if (!owner) return this.unroutable.store(phoneNumberId, { ...callback, value });
    const arrivedAt = timeOfId('cb', callbackId) ?? new Date();
    const messages = readHistory(value, owner.phoneNumber, new Date());
    const stored = messages.length > 0 ? await this.history.storeHistory(owner, messages, arrivedAt) : {};
    // From now on, this process compares incoming messages with the history. Other processes start when their cache
    // entries expire.
    if (messages.length > 0 && !owner.hasHistory) this.owners.evict(phoneNumberId);
    const progress = readProgress(value);
    if (progress) await this.history.noteProgress(owner, progress, arrivedAt);
    if (isDeclined(value)) await this.history.noteDeclined(owner, arrivedAt);
    const named = await this.nameContacts(owner, value, arrivedAt);
    await this.owners.noteCallback(owner);
    const durationMs = Math.round(performance.now() - startedAt);
    this.logger.info(
      {
        callbackId,
        accountId: owner.accountId,
        numberId: owner.id,
        messages: messages.length,
        ...stored,
        ...progress,
        named,
        durationMs,
      },
      'app-data.applied',
    );
  }

  /**
   * Sets and clears names in two transactions, each of which may be repeated alone.
   * @returns the number of changed contacts
   */
  private async nameContacts(
    { accountId }: NumberOwner,
    value: UpstreamMessagesValue,
    arrivedAt: Date,
  ): Promise<number> {
    const contacts = readAppContacts(value, arrivedAt);
    const named = contacts.flatMap(({ name, ...contact }) => (name === null ? [] : [{ ...contact, name }]));
    const gone = contacts.filter(({ name }) => name === null);
    let changed = 0;
    if (named.length > 0) changed += await this.transactions.run((tx) => setAppNames(tx, accountId, named));
    if (gone.length > 0) changed += await this.transactions.run((tx) => clearAppNames(tx, accountId, gone));
    return changed;
  }
}
