import { Injectable } from '@nestjs/common';
import {
  type ChangeContactCommand,
  type ContactRecord,
  type GetContactCommand,
  type GetContactReply,
  ID_PATTERNS,
  type GetPersonKeysCommand,
  type GetPersonKeysReply,
  type ListContactsCommand,
  type ListContactsReply,
  newId,
  notFound,
  OPT_OUT_SOURCES,
  type OptOutRecord,
  type QueueState,
  timeOfId,
  type UpdateContactCommand,
  type UpdateContactReply,
} from '@switchboard/contracts';
import { scanQuery, pageOf, placeOf, query, seenPageOf, type SeenRow } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { scannedTotal, type Total, wholeTotal } from '../list-totals/list-totals';
import {
  type ContactFilters,
  contactList,
  type ContactRow,
  CONTACTS_BY_ID,
  FIND_PERSON,
  listContactsSql,
} from './contact-list.queries';
import { findRare, RARE_LIMIT } from './contact-search';
import { findLabel, withLabel } from '../labels/find-label';
import { inAlphabeticalOrder } from '../labels/label.entity';
import { ownIdOf } from '../people/own-id';
import { keysOf } from '../people/person-keys';
import {
  CHANGE_CONTACT,
  FIND_PERSON_KEYS,
  UPDATE_CONTACT_BY_PHONE,
  UPDATE_CONTACT_BY_USER_ID,
} from './contacts.queries';
import { queueStateOf } from '../messages/queue-state';
import { showWindows } from '../messages/service-window';

/** Converts a row to the contact of the API (spec §7.3.4). */
function toContactRecord(row: ContactRow): ContactRecord {
  const {
    id,
    phone,
    userId,
    username,
    parentUserId,
    name,
    appName,
    profileName,
    optedOut,
    marketingOptOut,
    lastMessageId,
    lastInboundAt,
    windows,
    blockedOn,
    labels,
    createdAt,
  } = row;
  return {
    id,
    phone,
    userId,
    username,
    parentUserId,
    name,
    appName,
    profileName,
    optedOut,
    marketingOptOut,
    optOut: optOutOf(row),
    lastMessageAt: (lastMessageId && timeOfId('msg', lastMessageId)?.toISOString()) || null,
    lastInboundAt: lastInboundAt?.toISOString() ?? null,
    ...showWindows(windows),
    blockedOn: blockedOn.toSorted(),
    labels: inAlphabeticalOrder(labels),
    createdAt: createdAt.toISOString(),
  };
}

/** Returns when and how a contact opted out. The account's own list takes precedence over the platform. */
function optOutOf(row: ContactRow): OptOutRecord | null {
  const { optedOut, optedOutAt, optedOutSource: source, optedOutDetail, marketingOptOut, marketingOptOutAt } = row;
  if (optedOut)
    return {
      at: optedOutAt?.toISOString() ?? null,
      source: OPT_OUT_SOURCES.find((known) => known === source) ?? null,
      word: source === 'message' ? optedOutDetail : null,
      userId: source === 'user' ? optedOutDetail : null,
    };
  if (!marketingOptOut) return null;
  return { at: marketingOptOutAt?.toISOString() ?? null, source: 'platform', word: null, userId: null };
}

const toQueueState = ({ done, ...row }: ContactRow): QueueState => queueStateOf({ ...row, done: done === true });

const NOTHING: ListContactsReply = { contacts: [], total: 0, totalIsExact: true, hasNext: false, nextCursor: null };
const idOf = ({ id }: { id: string }): string => id;

@Injectable()
export class ContactsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns one page, newest first. A cursor replaces the page number.
   * @throws AppError INVALID_PARAMETER for an invalid cursor
   */
  async listContacts(command: ListContactsCommand): Promise<ListContactsReply> {
    const { accountId, search, optedOut, label } = command;
    const labelId = label === undefined ? undefined : await findLabel(this.dataSource, accountId, label);
    if (label !== undefined && labelId === undefined) return NOTHING;
    const filters = { accountId, optedOut, labelId };
    if (search === undefined) return this.readPage(command, filters, () => this.totalOf(filters));
    const found = await findRare(this.dataSource, { accountId, text: search, optedOut });
    if (!found)
      return this.readPage(command, { ...filters, search }, () =>
        labelId === undefined ? { total: RARE_LIMIT, totalIsExact: false } : this.totalOf({ ...filters, search }),
      );
    const contactIds =
      labelId === undefined ? found : await withLabel(this.dataSource, { accountId, labelId, contactIds: found });
    return this.readFound(command, contactIds);
  }

  /** @throws AppError NOT_FOUND if the account has no such contact */
  async getContact({ accountId, contactId, phone }: GetContactCommand): Promise<GetContactReply> {
    const id = phone === undefined ? contactId : await this.idOfPerson(accountId, phone);
    const [row] = await query<ContactRow>(this.dataSource, CONTACTS_BY_ID, [accountId, [id]]);
    if (!row) throw notFound('contact');
    return {
      contact: toContactRecord(row),
      blocked: row.blocked,
      messageCount: row.messageCount ?? 0,
      unreadCount: row.unreadCount ?? 0,
      ...(row.messageCount !== null && { queue: toQueueState(row) }),
    };
  }

  /** Returns the id of the contact with a phone number (any equivalent format) or user id. */
  async idOfPerson(accountId: string, phone: string): Promise<string | undefined> {
    const { phoneKey, userId } = keysOf(phone);
    return (await query<{ id: string }>(this.dataSource, FIND_PERSON, [accountId, phoneKey, userId, null]))[0]?.id;
  }

  /** Returns the keys of the contacts with these user ids. */
  async getPersonKeys({ accountId, userIds }: GetPersonKeysCommand): Promise<GetPersonKeysReply> {
    return { people: await query(this.dataSource, FIND_PERSON_KEYS, [accountId, userIds]) };
  }

  /** Creates or updates a contact by phone number or user id. Absent fields stay unchanged. */
  async updateContact({
    accountId,
    phone: given,
    name,
    optedOut,
    marketingOptOut,
    blocked,
  }: UpdateContactCommand): Promise<UpdateContactReply> {
    const person = await ownIdOf(this.dataSource, accountId, given);
    const keys = keysOf(person);
    const sql = keys.userId === null ? UPDATE_CONTACT_BY_PHONE : UPDATE_CONTACT_BY_USER_ID;
    const [changed] = await query<{ id: string }>(this.dataSource, sql, {
      accountId,
      newId: newId('ct'),
      phone: keys.userId === null ? person : null,
      ...keys,
      name,
      optedOut,
      marketingOptedOut: marketingOptOut,
      blocked,
    });
    const [row] = await query<ContactRow>(this.dataSource, CONTACTS_BY_ID, [accountId, [changed?.id]]);
    if (!row) throw notFound('contact'); // The contact was erased meanwhile.
    return { contact: toContactRecord(row), blocked: row.blocked };
  }

  /**
   * Updates a contact by id. Absent fields stay unchanged.
   * @throws AppError NOT_FOUND if the account has no such contact
   */
  async changeContact(command: ChangeContactCommand): Promise<UpdateContactReply> {
    const { accountId, contactId, name, optedOut, blocked, userId } = command;
    const changes = [name ?? null, optedOut ?? null, blocked ?? null, userId ?? null];
    await query(this.dataSource, CHANGE_CONTACT, [accountId, contactId, ...changes]);
    const { contact, blocked: isBlocked } = await this.getContact({ accountId, contactId });
    return { contact, blocked: isBlocked };
  }

  private async readPage(
    command: ListContactsCommand,
    filters: ContactFilters,
    totalOf: () => Total | Promise<Total>,
  ): Promise<ListContactsReply> {
    const { after, offset, take } = placeOf(command, ID_PATTERNS.ct);
    const total = await totalOf();
    if (total.totalIsExact && after === null && offset >= total.total) return { ...NOTHING, ...total };
    const list = contactList({ ...filters, after: after ?? undefined });
    const rows = await scanQuery<ContactRow & SeenRow>(
      this.dataSource,
      listContactsSql(list, { offset, take }),
      list.params,
    );
    const { rows: shown, ...next } = seenPageOf(rows, command, idOf);
    return { contacts: shown.map(toContactRecord), queues: shown.map(toQueueState), ...total, ...next };
  }

  /** Returns one page of the contacts that a search found. */
  private async readFound(command: ListContactsCommand, found: readonly string[]): Promise<ListContactsReply> {
    const { after, offset, take } = placeOf(command, ID_PATTERNS.ct);
    const rest = after === null ? found : found.filter((id) => id < after);
    const { rows: ids, ...next } = pageOf(rest.slice(offset, offset + take), command.limit, String);
    const rows = await query<ContactRow>(this.dataSource, CONTACTS_BY_ID, [command.accountId, ids]);
    return {
      contacts: rows.map(toContactRecord),
      queues: rows.map(toQueueState),
      total: found.length,
      totalIsExact: true,
      ...next,
    };
  }

  private totalOf(filters: ContactFilters): Promise<Total> {
    const { accountId, optedOut, labelId } = filters;
    if (optedOut === undefined && labelId === undefined) return wholeTotal(this.dataSource, accountId, ['contacts']);
    const list = contactList(filters);
    return scannedTotal(this.dataSource, list, list.params);
  }
}
