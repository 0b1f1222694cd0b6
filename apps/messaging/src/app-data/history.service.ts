import { Inject, Injectable } from '@nestjs/common';
import { query, type Transaction, Transactions } from '@switchboard/database';
import { counter, LOGGER, type Logger } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { type AppMessage, findStoredApp, storeAppMessages } from '../callbacks/app-messages.queries';
import { withChanges } from '../callbacks/changes.service';
import { identify, withoutRepeated } from '../callbacks/inbound-ids';
import { captionOf } from '../callbacks/inbound-messages';
import { orAgain, OvertakenError } from '../callbacks/overtaken';
import { findOrMakeContacts } from '../contacts/find-contacts';
import { expectMedia } from '../callbacks/expect-media';
import type { NumberOwner } from '../numbers/numbers.queries';
import { PartitionsService } from '../retention/partitions.service';
import { type AccountLimits, FIND_LIMITS } from '../retention/retention.queries';
import type { HistoryMessage, HistoryProgress } from './history';
import { BEGIN_HISTORY, FILES, FILL_FILES, NOTE_DECLINED, NOTE_PROGRESS } from './history.queries';

const counted = counter(
  'messaging_history_total',
  "Earlier messages of businesses' phone apps: stored, filled (their file was told later), repeated, expired (older than the account keeps messages)",
  { outcome: ['stored', 'filled', 'repeated', 'expired'] },
);

/** Outcome of storing a chunk of history. */
export interface StoredHistory {
  stored: number;
  filled: number;
  /** Number of skipped messages that are older than the account's retention period. */
  expired: number;
}

const DIRECTIONS = ['inbound', 'outbound'] as const;

/** Imports messages that were exchanged in the phone app of a business before its number was added. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly partitions: PartitionsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores the new messages in their conversations, in one transaction. History causes no events, statistics, windows,
   * unread counts or opt-outs.
   * @param arrivedAt time of the report from upstream
   */
  async storeHistory(owner: NumberOwner, messages: readonly HistoryMessage[], arrivedAt: Date): Promise<StoredHistory> {
    const [limit] = await query<AccountLimits>(this.dataSource, FIND_LIMITS, [owner.accountId]);
    const before = limit?.messagesBefore ?? null;
    const kept = messages.filter(({ at }) => before === null || Date.parse(at) >= before.getTime());
    const expired = messages.length - kept.length;
    counted.inc({ outcome: 'expired' }, expired);
    if (kept.length === 0) return { stored: 0, filled: 0, expired };
    await this.makeMonths(kept);
    const { stored, filled } = await orAgain(() => this.transactions.run((tx) => storeNew(tx, owner, kept, arrivedAt)));
    counted.inc({ outcome: 'stored' }, stored);
    counted.inc({ outcome: 'filled' }, filled);
    counted.inc({ outcome: 'repeated' }, kept.length - stored - filled);
    return { stored, filled, expired };
  }

  async noteProgress({ id, accountId }: NumberOwner, { phase, progress }: HistoryProgress, at: Date): Promise<void> {
    await query(this.dataSource, NOTE_PROGRESS, [id, accountId, phase, progress, at]);
  }

  async noteDeclined({ id, accountId }: NumberOwner, at: Date): Promise<void> {
    await query(this.dataSource, NOTE_DECLINED, [id, accountId, at]);
  }

  /**
   * Creates the monthly partitions of the messages. If this fails, the messages are stored in the partition before the
   * first month, which delays their deletion.
   */
  private async makeMonths(messages: readonly HistoryMessage[]): Promise<void> {
    const oldest = new Date(Math.min(...messages.map(({ at }) => Date.parse(at))));
    try {
      await this.partitions.addEarlierMonths(oldest);
    } catch (error) {
      this.logger.warn({ oldest, err: error }, 'partitions.not-added');
    }
  }
}

async function storeNew(
  tx: Transaction,
  owner: NumberOwner,
  messages: readonly HistoryMessage[],
  arrivedAt: Date,
): Promise<{ stored: number; filled: number }> {
  await tx.query(BEGIN_HISTORY, [owner.id, owner.accountId]);
  // A chunk may report a message and its file separately. The entry with the file takes precedence.
  const given = withoutRepeated(
    messages.toSorted((one, other) => Number(other.media !== null) - Number(one.media !== null)),
  );
  const stored = await storedOf(tx, owner, given);
  const unknown = given.filter(({ upstreamId }) => !stored.has(upstreamId));
  const contactIds = await findOrMakeContacts(
    tx,
    owner.accountId,
    unknown.map(({ person }) => person),
  );
  const found = unknown.map((message, index) => ({ ...message, contactId: contactIds[index] ?? '' }));
  if ((await storedOf(tx, owner, found)).size > 0) throw new OvertakenError();
  const identified = identify(owner, found, arrivedAt);
  let fresh = 0;
  for (const direction of DIRECTIONS) {
    const own = identified.filter((message) => message.direction === direction);
    const rows = (await withChanges(tx, owner, own, direction)).map(
      ({ person: { sender, name }, ...message }): AppMessage => ({
        ...message,
        person: sender,
        name: direction === 'inbound' ? name : null,
      }),
    );
    if ((await storeAppMessages(tx, owner, 'history', rows)) < rows.length) throw new OvertakenError();
    await expectMedia(tx, owner, rows);
    fresh += rows.length;
  }
  const filled = await fillFiles(
    tx,
    owner,
    given.filter(({ upstreamId }) => stored.has(upstreamId)),
  );
  return { stored: fresh, filled };
}

async function storedOf(
  tx: Transaction,
  owner: NumberOwner,
  messages: readonly HistoryMessage[],
): Promise<Set<string>> {
  const idsOf = (direction: AppMessage['direction']): string[] =>
    messages.filter((message) => message.direction === direction).map(({ upstreamId }) => upstreamId);
  const inbound = await findStoredApp(tx, owner, 'inbound', idsOf('inbound'));
  return new Set([...inbound, ...(await findStoredApp(tx, owner, 'outbound', idsOf('outbound')))]);
}

/**
 * Adds files to messages that were stored without them.
 * @returns the number of updated messages
 */
async function fillFiles(tx: Transaction, owner: NumberOwner, known: readonly HistoryMessage[]): Promise<number> {
  let filled = 0;
  for (const direction of DIRECTIONS) {
    const files = known.filter((message) => message.direction === direction && message.media !== null);
    if (files.length === 0) continue;
    const lists = FILES.parameters(files, {
      caption: ({ content }) => captionOf(content),
      mediaId: ({ media }) => media?.id ?? null,
    });
    const rows = await tx.query<{ id: string; mediaId: string }>(FILL_FILES[direction], [
      owner.accountId,
      owner.id,
      ...lists,
    ]);
    const mediaOf = new Map(files.map(({ media }) => [media?.id, media]));
    await expectMedia(
      tx,
      owner,
      rows.map(({ id, mediaId }) => ({ id, media: mediaOf.get(mediaId) ?? null })),
    );
    filled += rows.length;
  }
  return filled;
}
