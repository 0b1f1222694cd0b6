import { Injectable } from '@nestjs/common';
import {
  type CountAudienceCommand,
  type CountAudienceReply,
  type ListAudienceCommand,
  type ListAudienceReply,
  notFound,
} from '@switchboard/contracts';
import { query, scanQuery, seenOf, type SeenRow } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { LABEL_EXISTS } from '../labels/labels.queries';
import { audienceList, countAudienceSql, COUNTED_AT_A_TIME, listAudienceSql, type MemberRow } from './audience.queries';

/** Maximum count statements of one request: 200,000 contacts. */
const COUNTS_MAX = 20;
/** Time reserved for one more count statement before the caller stops waiting. */
const STATEMENT_MARGIN_MS = 3_000;

/** Finds the contacts of an audience. */
@Injectable()
export class AudienceService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns one page. A page may have fewer contacts than the limit, or none, because each scan is bounded.
   * @throws AppError NOT_FOUND for an unknown label
   */
  async list({ accountId, audience, limit, after }: ListAudienceCommand): Promise<ListAudienceReply> {
    const list = audienceList(accountId, audience, after);
    const seen = await scanQuery<MemberRow & SeenRow>(this.dataSource, listAudienceSql(list, limit + 1), list.params);
    // After the scan: the sweep of a label deleted meanwhile must not look like the end of the list.
    await this.requireLabel(accountId, audience.labelId);
    const { rows, cutOffAt } = seenOf(seen, { page: 1, limit });
    const members = rows.slice(0, limit);
    const next = rows.length > limit ? (members.at(-1)?.id ?? null) : cutOffAt;
    return { members: members.map(({ recipient, name }) => ({ recipient, name })), next };
  }

  /**
   * Counts in the newest 200,000 contacts, or until the caller is about to stop waiting.
   * @param deadline on the clock of `performance.now()`
   * @throws AppError NOT_FOUND for an unknown label
   */
  async count({ accountId, audience }: CountAudienceCommand, deadline = Infinity): Promise<CountAudienceReply> {
    await this.requireLabel(accountId, audience.labelId);
    let count = 0;
    let after: string | undefined;
    for (let round = 0; round < COUNTS_MAX; round += 1) {
      if (round > 0 && performance.now() > deadline - STATEMENT_MARGIN_MS) break;
      const list = audienceList(accountId, audience, after);
      const [row] = await scanQuery<{ count: number; scanned: number; last: string | null }>(
        this.dataSource,
        countAudienceSql(list),
        list.params,
      );
      count += row?.count ?? 0;
      after = row?.last ?? undefined;
      if ((row?.scanned ?? 0) < COUNTED_AT_A_TIME) return { count, isExact: true };
    }
    return { count, isExact: false };
  }

  private async requireLabel(accountId: string, labelId: string | undefined): Promise<void> {
    if (labelId === undefined) return;
    if ((await query(this.dataSource, LABEL_EXISTS, [accountId, labelId])).length === 0) throw notFound('label');
  }
}
