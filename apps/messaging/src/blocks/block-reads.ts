import { Inject, Injectable } from '@nestjs/common';
import { canonicalPhone, isPhone, isUserId } from '@switchboard/contracts';
import { dueIn, query, Transactions } from '@switchboard/database';
import { Every, LOGGER, type Logger } from '@switchboard/platform';
import { type BlockedUser, UpstreamError } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import { pollPauseSeconds } from '../numbers/poll-pause';
import { UpstreamNumbers } from '../numbers/upstream-numbers';
import {
  ADD_READS,
  CLAIM_DUE_LISTS,
  type DueList,
  FINISH_READ,
  FORGET_OTHERS,
  LISTED,
  LOCK_READ,
  NEXT_DUE_LIST,
  NOTE_LISTED,
  REST_READ,
} from './blocks.queries';

const LOOK_EVERY_MS = 2_000;
/** Number of lists read concurrently. Low, because no caller waits for them. */
const BATCH_SIZE = 4;
/** Delay before a list that changed during a read is read again. */
const CHANGED_PAUSE_SECONDS = 5;
const FAILED_PAUSE_SECONDS = 60;
/** Safety limit. The platform allows at most 64,000 entries per list. */
const MOST_PEOPLE = 100_000;

/**
 * Reads the block lists of the numbers. The platform's list is authoritative, and contacts may also be blocked outside
 * this service. A list is read soon after each change made here, and otherwise periodically.
 */
@Injectable()
export class BlockReads {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly upstream: UpstreamNumbers,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Reads the lists that are due.
   * @returns true if more lists may be due, or the time until the next one is due
   */
  @Every({ name: 'block-reads', everyMs: LOOK_EVERY_MS, restsWhenIdle: true })
  async readDueLists(signal?: AbortSignal): Promise<boolean | number> {
    await query(this.dataSource, ADD_READS);
    const due = await query<DueList>(this.dataSource, CLAIM_DUE_LISTS, [BATCH_SIZE]);
    await Promise.all(due.map((list) => this.readList(list, signal)));
    return due.length === BATCH_SIZE || dueIn(this.dataSource, NEXT_DUE_LIST, LOOK_EVERY_MS);
  }

  private async readList(list: DueList, signal?: AbortSignal): Promise<void> {
    const { id, accountId, failures } = list;
    try {
      await this.write(list, await this.readAll(list, signal));
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (signal?.aborted) return;
      const pauseSeconds = pollPauseSeconds(FAILED_PAUSE_SECONDS, failures);
      await query(this.dataSource, REST_READ, [accountId, id, pauseSeconds, true]);
      this.logger.warn(
        { accountId, numberId: id, failures: failures + 1, pauseSeconds, reason: error.message },
        'blocks.read-failed',
      );
    }
  }

  private async readAll(list: DueList, signal?: AbortSignal): Promise<Map<string, ListedPerson>> {
    const people = new Map<string, ListedPerson>();
    let after: string | undefined;
    do {
      const page = await this.upstream.listBlocked(list, { after, signal });
      for (const person of page.people.flatMap(listedPerson)) people.set(person.phoneKey, person);
      // The same cursor again would cause an endless loop.
      after = page.after === after ? undefined : page.after;
      // Storing a partial list would delete blocks that still exist.
      if (people.size > MOST_PEOPLE) throw new Error('the block list of the platform does not end');
    } while (after !== undefined);
    return people;
  }

  private async write({ id, accountId, begunAt }: DueList, people: ReadonlyMap<string, ListedPerson>): Promise<void> {
    await this.transactions.run(async (tx) => {
      const [read] = await tx.query<{ isFresh: boolean }>(LOCK_READ, [accountId, id, begunAt]);
      if (!read?.isFresh) {
        await tx.query(REST_READ, [accountId, id, CHANGED_PAUSE_SECONDS, false]);
        return;
      }
      const listed = LISTED.parameters([...people.values()]);
      await tx.query(FORGET_OTHERS, [accountId, id, ...listed]);
      await tx.query(NOTE_LISTED, [accountId, id, ...listed]);
      await tx.query(FINISH_READ, [accountId, id]);
    });
  }
}

/** Entry of the platform's list in the form of our rows. */
interface ListedPerson {
  /** Phone number, or the user id if the number is hidden. */
  phone: string;
  /** Match key of the number, or the user id. */
  phoneKey: string;
  /** User id, by which the person may have been blocked here. */
  userId: string | null;
}

function listedPerson({ phone, userId: given }: BlockedUser): ListedPerson[] {
  const userId = given !== undefined && isUserId(given) ? given : null;
  if (phone !== undefined && isPhone(phone)) return [{ phone, phoneKey: canonicalPhone(phone), userId }];
  return userId === null ? [] : [{ phone: userId, phoneKey: userId, userId }];
}
