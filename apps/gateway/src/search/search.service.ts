import { Injectable } from '@nestjs/common';
import {
  AppError,
  CLIENT_REF_MAX_CHARACTERS,
  type ContactRecord,
  ID_PATTERNS,
  JOB_NAME_MAX,
  type JobRecord,
  type ManagedTemplateRecord,
  MESSAGE_NAME,
  type MessageRecord,
} from '@switchboard/contracts';
import { JobsClient, MessagingClient, TemplatesClient } from '@switchboard/service-clients';
import { type KeyRecord, KeysService } from '../api-keys/keys.service';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { MessagesService } from '../messages/messages.service';
import { MAX_FRAGMENT_CHARACTERS } from '../pagination/query-rules';
import type { FoundContact, FoundJob, FoundKey, FoundMessage, FoundTemplate, SearchResults } from './search-results';
import { foldText, namePartIn } from './search-text';

/** Maximum keys of an account that a search reads, the newest first. */
const MOST_KEYS = 1_000;
/** Shorter numbers are parts of phone numbers, and no ids of the upstream platform. */
const TEMPLATE_ID = /^[0-9]{12,32}$/;

interface Search {
  accountId: string;
  /** Text without blanks at its ends. */
  text: string;
  /** Maximum results per kind. */
  limit: number;
}

/** Searches an account's contacts, messages, templates, jobs and API keys, each by its owner. */
@Injectable()
export class SearchService {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly templates: TemplatesClient,
    private readonly jobs: JobsClient,
    private readonly messages: MessagesService,
    private readonly keys: KeysService,
  ) {}

  /** Returns null for a kind whose service is unavailable. */
  async search(search: Search): Promise<SearchResults> {
    const [contacts, messages, templates, jobs, keys] = await Promise.all([
      found(this.findContacts(search), foundContact),
      found(this.findMessages(search), foundMessage),
      found(this.findTemplates(search), foundTemplate),
      found(this.findJobs(search), foundJob),
      found(withinDatabaseDeadline(this.findKeys(search)), foundKey),
    ]);
    const kinds = { contacts, messages, templates, jobs, keys };
    return {
      contacts: contacts.items,
      messages: messages.items,
      templates: templates.items,
      jobs: jobs.items,
      keys: keys.items,
      incomplete: Object.entries(kinds).flatMap(([kind, { hasMore }]) => (hasMore ? [kind] : [])),
    };
  }

  private async findContacts({ accountId, text, limit }: Search): Promise<Finds<ContactRecord>> {
    if (ID_PATTERNS.ct.test(text))
      return only((await this.messaging.getContact({ accountId, contactId: text })).contact);
    const search = text.replace(/[+\s]/g, '');
    if (Array.from(search).length > MAX_FRAGMENT_CHARACTERS) return NOTHING;
    const { contacts, hasNext } = await this.messaging.listContacts({ accountId, search, page: 1, limit });
    return { items: contacts, hasMore: hasNext };
  }

  private async findMessages({ accountId, text, limit }: Search): Promise<Finds<MessageRecord>> {
    if (MESSAGE_NAME.test(text)) {
      const message = await unlessUnknown(this.messages.find(accountId, text));
      if (message) return only(message);
    }
    // A reference may look like an ID.
    if (Array.from(text).length > CLIENT_REF_MAX_CHARACTERS) return NOTHING;
    const { messages, hasNext } = await this.messages.list(accountId, { clientRef: text, page: 1, limit });
    return { items: messages, hasMore: hasNext };
  }

  private async findTemplates({ accountId, text, limit }: Search): Promise<Finds<ManagedTemplateRecord>> {
    const partOfName = namePartIn(text);
    if (partOfName === undefined) return NOTHING;
    const { templates, nextCursor } = await this.templates.searchTemplates({ accountId, partOfName, limit });
    if (templates.length > 0 || !TEMPLATE_ID.test(text)) return { items: templates, hasMore: nextCursor !== null };
    return only((await this.templates.showTemplate({ accountId, templateId: text })).template);
  }

  private async findJobs({ accountId, text, limit }: Search): Promise<Finds<JobRecord>> {
    if (ID_PATTERNS.job.test(text)) return only((await this.jobs.getJob({ accountId, jobId: text })).job);
    if (Array.from(text).length > JOB_NAME_MAX) return NOTHING;
    const partOfName = namePartIn(text);
    const names = { search: text, ...(partOfName !== undefined && { partOfName }) };
    const { jobs, hasNext } = await this.jobs.listJobs({ accountId, ...names, page: 1, limit });
    return { items: jobs, hasMore: hasNext };
  }

  private async findKeys({ accountId, text, limit }: Search): Promise<Finds<KeyRecord>> {
    const part = foldText(text);
    const keys = await this.keys.listKeys(accountId, { limit: MOST_KEYS + 1 });
    const matches = keys
      .slice(0, MOST_KEYS)
      .filter(
        ({ keyId, name, prefix, lastFour }) =>
          foldText(name).includes(part) || prefix.startsWith(text) || lastFour === text || keyId === text,
      );
    return { items: matches.slice(0, limit), hasMore: keys.length > MOST_KEYS || matches.length > limit };
  }
}

/** Results of one kind. */
interface Finds<Item> {
  items: Item[];
  /** True if results beyond the limit exist, or if only the newest items were searched. */
  hasMore: boolean;
}

const NOTHING = { items: [], hasMore: false };
const only = <Item>(item: Item): Finds<Item> => ({ items: [item], hasMore: false });

const isUnknown = (error: unknown): boolean => error instanceof AppError && error.code === 'NOT_FOUND';

async function unlessUnknown<Item>(work: Promise<Item>): Promise<Item | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isUnknown(error)) return undefined;
    throw error;
  }
}

/** Returns no results for an unknown id, and null while the service is unavailable. */
async function found<Item, Found>(
  work: Promise<Finds<Item>>,
  shown: (item: Item) => Found,
): Promise<{ items: Found[] | null; hasMore: boolean }> {
  try {
    const { items, hasMore } = await work;
    return { items: items.map(shown), hasMore };
  } catch (error) {
    if (isUnknown(error)) return NOTHING;
    if (error instanceof AppError && error.status >= 500) return { items: null, hasMore: false };
    throw error;
  }
}

function foundContact({ id, name, username = null, phone, userId }: ContactRecord): FoundContact {
  return { id, name, username, phone, userId };
}

function foundMessage(record: MessageRecord): FoundMessage {
  const { id, direction, from, to, userId, contactName = null, type, status, clientRef, timestamp } = record;
  const contact = (direction === 'inbound' ? from : to) ?? userId;
  return { id, direction, contact, contactName, type, status, clientRef, timestamp };
}

function foundTemplate({ id, name, language, status }: ManagedTemplateRecord): FoundTemplate {
  return { id, name, language, status };
}

function foundJob({ jobId, name = null, status, template, total, createdAt }: JobRecord): FoundJob {
  return { jobId, name, status, template, total, createdAt };
}

function foundKey({ keyId: id, name, state, prefix, lastFour }: KeyRecord): FoundKey {
  return { id, name, state, prefix, lastFour };
}
