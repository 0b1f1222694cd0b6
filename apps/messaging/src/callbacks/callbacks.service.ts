import { Inject, Injectable } from '@nestjs/common';
import { messageReceivedV1, messageStatusChangedV1, newId, type UpstreamMessagesReceivedV1 } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { counter, LOGGER, type Logger } from '@switchboard/platform';
import type { UpstreamMessagesValue } from '@switchboard/upstream';
import { FIND_OWNER, type NumberOwner } from '../numbers/numbers.queries';
import { type InboundMessage, readInbound } from './inbound-messages';
import { STORE_INBOUND, TOUCH_CONTACTS } from './inbound.queries';
import { statusEvents } from './status-events';
import { readStatuses, type StatusUpdate } from './status-updates';
import { APPLY_STATUSES, type StatusOutcome } from './statuses.queries';
import { storable } from './storable';

const statusesApplied = counter('messaging_statuses_total', 'Statuses reported by the upstream platform: applied, unmatched', ['outcome']);
const inboundStored = counter('messaging_inbound_total', 'Inbound messages: stored, repeated', ['outcome']);

/** Applies what the upstream platform reports; doing it again changes nothing and reports nothing. */
@Injectable()
export class CallbacksService {
  constructor(
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Statuses, inbound messages and their events, in one transaction. */
  async applyCallback({ callbackId, value: given }: UpstreamMessagesReceivedV1): Promise<void> {
    const startedAt = performance.now();
    const now = new Date();
    const value = storable<UpstreamMessagesValue>({ ...given });
    const statuses = readStatuses(value.statuses ?? [], now);
    const inbound = readInbound(value, now);
    const facts = await this.transactions.run(async (tx) => {
      const [owner] = await tx.query<NumberOwner>(FIND_OWNER, [String(value.metadata?.phone_number_id ?? '')]);
      if (!owner) return undefined;
      const applied = statuses.length > 0 ? await applyStatuses(tx, owner, statuses) : {};
      const stored = inbound.length > 0 ? await storeInbound(tx, owner, inbound) : {};
      return { accountId: owner.accountId, numberId: owner.id, ...applied, ...stored };
    });
    const durationMs = Math.round(performance.now() - startedAt);
    const counts = { statuses: statuses.length, inbound: inbound.length };
    if (facts) this.logger.info({ callbackId, ...counts, ...facts, durationMs }, 'callback.applied');
    else this.logger.warn({ callbackId, ...counts, phoneNumberId: value.metadata?.phone_number_id }, 'callback.dropped');
  }
}

async function applyStatuses(tx: Transaction, { accountId }: NumberOwner, updates: readonly StatusUpdate[]) {
  const outcomes = await tx.query<StatusOutcome>(APPLY_STATUSES, [
    accountId,
    updates.map(({ upstreamId }) => upstreamId),
    updates.map(({ echoedId }) => echoedId),
    updates.map(({ status }) => status),
    updates.map(({ at }) => at),
    updates.map(({ error }) => error && JSON.stringify(error)),
  ]);
  const events = outcomes.flatMap((outcome) => statusEvents(accountId, outcome));
  for (const event of events) tx.publish(messageStatusChangedV1, event);
  const known = new Set(outcomes.flatMap(({ spokenOf }) => spokenOf));
  // Counted, not named: an upstream id holds the customer's phone number.
  const unmatched = updates.filter(({ upstreamId }) => !known.has(upstreamId)).length;
  statusesApplied.inc({ outcome: 'applied' }, updates.length - unmatched);
  statusesApplied.inc({ outcome: 'unmatched' }, unmatched);
  return { changes: events.length, settled: outcomes.filter(({ before }) => before === 'sending' || before === 'unknown').length, unmatched };
}

async function storeInbound(tx: Transaction, owner: NumberOwner, messages: readonly InboundMessage[]) {
  const fresh = await insertInbound(tx, owner, messages);
  await tx.query(TOUCH_CONTACTS, [
    owner.accountId,
    owner.id,
    messages.map(() => newId('ct')),
    messages.map(({ sender }) => sender),
    messages.map(({ userId }) => userId),
    messages.map(({ name }) => name),
    messages.map(({ at }) => at),
    messages.map(({ opensWindow }) => opensWindow),
  ]);
  for (const { id, upstreamId, sender, name, type, content, at } of fresh) {
    const { accountId, phoneNumber } = owner;
    tx.publish(messageReceivedV1, { accountId, id, upstreamId, to: phoneNumber, from: sender, name, type, content, timestamp: at });
  }
  inboundStored.inc({ outcome: 'stored' }, fresh.length);
  inboundStored.inc({ outcome: 'repeated' }, messages.length - fresh.length);
  return { stored: fresh.length };
}

/** The messages that were not stored before, in the order of the callback. */
async function insertInbound(tx: Transaction, owner: NumberOwner, messages: readonly InboundMessage[]) {
  const identified = messages.map((message) => ({ ...message, id: newId('msg') }));
  const rows = await tx.query<{ id: string }>(STORE_INBOUND, [
    owner.accountId,
    owner.id,
    owner.phoneNumber,
    identified.map(({ id }) => id),
    identified.map(({ upstreamId }) => upstreamId),
    identified.map(({ sender }) => sender),
    identified.map(({ name }) => name),
    identified.map(({ type }) => type),
    identified.map(({ content }) => content && JSON.stringify(content)),
    identified.map(({ at }) => at),
  ]);
  const stored = new Set(rows.map(({ id }) => id));
  return identified.filter(({ id }) => stored.has(id));
}
