import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import {
  type EraseContactCommand,
  type EraseContactReply,
  firstIdAt,
  notFound,
  phoneSpellings,
  type RunRetentionCommand,
  type RunRetentionReply,
} from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { Every, LOGGER, type Logger, CLEANUP_STATEMENT_MS } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { keysOf } from '../people/person-keys';
import { keepCounts } from '../results/result-days';
import { PartitionsService } from './partitions.service';
import * as sql from './retention.queries';

/** Run interval, which limits the accuracy of retention periods. */
const EVERY_MS = 3_600_000;
/** Maximum rows per step, which keep transactions short and the reply well before the caller's deadline. */
const STEP_MESSAGES = 5_000;
const STEP_MEDIA = 1_000;
const BLOBS_AT_A_TIME = 10;
/** Maximum number of identifiers. With two formats each, this is as many as the other services accept. */
const MOST_NAMES = 49;

interface Removed {
  messages: number;
  media: number;
}

/** Deletes expired data and erases contacts. Every step can be interrupted and repeated. */
@Injectable()
export class RetentionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly partitions: PartitionsService,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @returns true if there is more to delete */
  @Every({ name: 'retention', everyMs: EVERY_MS, statementMs: CLEANUP_STATEMENT_MS })
  async removeOldMessages(): Promise<boolean> {
    const reply = await this.runStep({ dryRun: false });
    if (reply.messages + reply.media > 0) this.logger.info({ ...reply }, 'retention.progressed');
    return !reply.done;
  }

  /**
   * Runs one step for one account, or for all accounts with limits. Drops monthly partitions that are empty afterwards.
   */
  async runStep({ accountId, dryRun }: RunRetentionCommand): Promise<RunRetentionReply> {
    const limits = await query<sql.AccountLimits>(this.dataSource, sql.FIND_LIMITS, [accountId ?? null]);
    const reply: RunRetentionReply = { messages: 0, media: 0, droppedMonths: [], done: true };
    for (const limit of limits) {
      // Limit the work of one step, whatever the number of accounts, because the caller waits.
      if (!dryRun && reply.messages + reply.media >= STEP_MEDIA) return { ...reply, done: false };
      const { messages, media, done } = dryRun
        ? { ...(await this.countOld(limit)), done: true }
        : await this.removeOld(limit);
      reply.messages += messages;
      reply.media += media;
      reply.done &&= done;
    }
    if (reply.done && !dryRun) reply.droppedMonths = await this.partitions.dropEmptyMonths();
    return reply;
  }

  /**
   * Runs one step of erasing a contact. The last step deletes the contact.
   * @throws AppError NOT_FOUND if the account has no contact with this number or user id
   */
  async eraseStep({ accountId, phone, dryRun }: EraseContactCommand): Promise<EraseContactReply> {
    const { phoneKey, userId } = keysOf(phone);
    const [contact] = await query<{ id: string }>(this.dataSource, sql.FIND_CONTACT, [accountId, phoneKey, userId]);
    if (!contact) throw notFound('contact');
    if (dryRun) {
      const [messages, media] = await Promise.all(
        [sql.COUNT_MESSAGES_OF_CONTACT, sql.COUNT_MEDIA_OF_CONTACT].map((count) =>
          this.count(count, [accountId, contact.id]),
        ),
      );
      return {
        messages: messages ?? 0,
        media: media ?? 0,
        done: true,
        knownAs: await this.namesOf(accountId, contact.id, phone),
      };
    }
    const settled = await this.idsOf(sql.OLDEST_OF_CONTACT, [accountId, contact.id, STEP_MESSAGES]);
    const ids = [settled];
    for (const others of [sql.UNSETTLED_MESSAGES_OF_CONTACT, sql.MESSAGES_TO_GROUPS])
      if (ids.every(({ length }) => length === 0))
        ids.push(await this.idsOf(others, [accountId, contact.id, STEP_MESSAGES]));
    const removed = await this.removeMessages(accountId, ids.flat());
    return { ...removed, done: await this.removeContact(accountId, contact.id) };
  }

  /**
   * Locks and deletes in two statements: the second sees what was committed while the first waited.
   * @returns true if the contact was deleted
   */
  private removeContact(accountId: string, contactId: string): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      await tx.query(sql.LOCK_CONTACT, [accountId, contactId]);
      return (await tx.query(sql.DELETE_CONTACT, [accountId, contactId])).length > 0;
    });
  }

  /** Returns every format of each number, because events may contain a format that no other record has. */
  private async namesOf(accountId: string, contactId: string, phone: string): Promise<string[]> {
    const names = await query<{ name: string }>(this.dataSource, sql.NAMES_OF_CONTACT, [
      accountId,
      contactId,
      MOST_NAMES,
    ]);
    return [...new Set([phone, ...names.map(({ name }) => name)].flatMap(phoneSpellings))];
  }

  private async removeOld({
    accountId,
    messagesBefore,
    mediaBefore,
  }: sql.AccountLimits): Promise<Removed & { done: boolean }> {
    const ids = messagesBefore
      ? await this.idsOf(sql.OLDEST_MESSAGES, [accountId, firstIdAt('msg', messagesBefore.getTime()), STEP_MESSAGES])
      : [];
    const removed = await this.removeMessages(accountId, ids);
    const files = mediaBefore
      ? await query<sql.MediaRef>(this.dataSource, sql.OLD_MEDIA, [
          accountId,
          firstIdAt('med', mediaBefore.getTime()),
          STEP_MEDIA,
        ])
      : [];
    const media = await this.removeMedia(accountId, files);
    const notes = messagesBefore
      ? await this.idsOf(sql.DELETE_OLD_NOTES, [accountId, firstIdAt('note', messagesBefore.getTime()), STEP_MESSAGES])
      : [];
    const activities = messagesBefore
      ? await this.idsOf(sql.DELETE_OLD_ACTIVITIES, [
          accountId,
          firstIdAt('act', messagesBefore.getTime()),
          STEP_MESSAGES,
        ])
      : [];
    return {
      messages: removed.messages,
      media: removed.media + media,
      done: files.length < STEP_MEDIA && [ids, notes, activities].every(({ length }) => length < STEP_MESSAGES),
    };
  }

  private async countOld({ accountId, messagesBefore, mediaBefore }: sql.AccountLimits): Promise<Removed> {
    const messagesBelow = firstIdAt('msg', messagesBefore?.getTime() ?? 0);
    const messages = await this.count(sql.COUNT_OLD_MESSAGES, [accountId, messagesBelow]);
    const media = await this.count(sql.COUNT_OLD_MEDIA, [
      accountId,
      firstIdAt('med', mediaBefore?.getTime() ?? 0),
      messagesBelow,
    ]);
    return { messages, media };
  }

  /**
   * Deletes files before rows: a row without its file can be deleted by a repeated step, but a file without its row
   * would stay forever.
   */
  private async removeMessages(accountId: string, ids: readonly string[]): Promise<Removed> {
    if (ids.length === 0) return { messages: 0, media: 0 };
    const files = await query<sql.MediaRef>(this.dataSource, sql.MEDIA_OF_MESSAGES, [accountId, ids]);
    const media = await this.removeMedia(accountId, files);
    const removed = await this.transactions.run(async (tx) => {
      await keepCounts(tx, accountId, ids);
      const deleted = await tx.query(sql.DELETE_MESSAGES, [accountId, ids]);
      // The deletion waited for sends in progress, so that this statement sees their files.
      await tx.query(sql.REMOVE_LATE_MEDIA, [accountId, ids]);
      return deleted;
    });
    return { messages: removed.length, media };
  }

  private async removeMedia(accountId: string, files: readonly sql.MediaRef[]): Promise<number> {
    for (let start = 0; start < files.length; start += BLOBS_AT_A_TIME) {
      await Promise.all(files.slice(start, start + BLOBS_AT_A_TIME).map(({ blobKey }) => this.blobs.delete(blobKey)));
    }
    if (files.length === 0) return 0;
    return (await query(this.dataSource, sql.DELETE_MEDIA, [accountId, files.map(({ id }) => id)])).length;
  }

  private async idsOf(statement: string, params: unknown[]): Promise<string[]> {
    return (await query<{ id: string }>(this.dataSource, statement, params)).map(({ id }) => id);
  }

  private async count(statement: string, params: unknown[]): Promise<number> {
    return (await query<{ count: number }>(this.dataSource, statement, params))[0]?.count ?? 0;
  }
}
