import { Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { FIND_OWNER, type NumberOwner } from './numbers.queries';

/** A number never changes hands, so only a corrected phone number may be seen so much later. */
const KEPT_MS = 30_000;

/** Whose number a callback is about; asked once per callback, so it is kept in memory. */
@Injectable()
export class OwnerCache {
  private readonly owners = new Map<string, { owner: NumberOwner; until: number }>();

  constructor(private readonly dataSource: DataSource) {}

  /** @returns undefined for a number nobody has; that is asked again each time */
  async ownerOf(phoneNumberId: string): Promise<NumberOwner | undefined> {
    const known = this.owners.get(phoneNumberId);
    if (known && known.until > Date.now()) return known.owner;
    const [owner] = await query<NumberOwner>(this.dataSource, FIND_OWNER, [phoneNumberId]);
    if (owner) this.owners.set(phoneNumberId, { owner, until: Date.now() + KEPT_MS });
    return owner;
  }
}
