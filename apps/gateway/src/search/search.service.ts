import { Injectable } from '@nestjs/common';
import {
  AppError,
  CLIENT_REF_MAX_CHARACTERS,
  type ContactRecord,
  ID_PATTERNS,
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
const TEMPLATE_ID = /^[0-9]{1,32}$/;

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
    return { contacts, messages, templates, jobs, keys };
  }

  private async findContacts({ accountId, text, limit }: Search): Promise<ContactRecord[]> {
    if (ID_PATTERNS.ct.test(text)) return [(await this.messaging.getContact({ accountId, contactId: text })).contact];
    const search = text.replace(/[+\s]/g, '');
    if (Array.from(search).length > MAX_FRAGMENT_CHARACTERS) return [];
    return (await this.messaging.listContacts({ accountId, search, page: 1, limit })).contacts;
  }

  private async findMessages({ accountId, text, limit }: Search): Promise<MessageRecord[]> {
    if (MESSAGE_NAME.test(text)) return [await this.messages.find(accountId, text)];
    if (Array.from(text).length > CLIENT_REF_MAX_CHARACTERS) return [];
    return (await this.messages.list(accountId, { clientRef: text, page: 1, limit })).messages;
  }

  private async findTemplates({ accountId, text, limit }: Search): Promise<ManagedTemplateRecord[]> {
    const partOfName = namePartIn(text);
    if (partOfName === undefined) return [];
    const { templates } = await this.templates.searchTemplates({ accountId, partOfName, limit });
    if (templates.length > 0 || !TEMPLATE_ID.test(text)) return templates;
    return [(await this.templates.showTemplate({ accountId, templateId: text })).template];
  }

  private async findJobs({ accountId, text, limit }: Search): Promise<JobRecord[]> {
    if (ID_PATTERNS.job.test(text)) return [(await this.jobs.getJob({ accountId, jobId: text })).job];
    const partOfName = namePartIn(text);
    if (partOfName === undefined) return [];
    return (await this.jobs.listJobs({ accountId, partOfName, page: 1, limit })).jobs;
  }

  private async findKeys({ accountId, text, limit }: Search): Promise<KeyRecord[]> {
    const part = foldText(text);
    const keys = await this.keys.listKeys(accountId, { limit: MOST_KEYS });
    return keys
      .filter(
        ({ keyId, name, prefix, lastFour }) =>
          foldText(name).includes(part) || prefix.startsWith(text) || lastFour === text || keyId === text,
      )
      .slice(0, limit);
  }
}

/** Returns no results for an unknown id, and null while the service is unavailable. */
async function found<Item, Found>(work: Promise<Item[]>, shown: (item: Item) => Found): Promise<Found[] | null> {
  try {
    return (await work).map(shown);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return [];
    if (error instanceof AppError && error.status >= 500) return null;
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

function foundJob({ jobId, status, template, total, createdAt }: JobRecord): FoundJob {
  return { jobId, status, template, total, createdAt };
}

function foundKey({ keyId: id, name, state, prefix, lastFour }: KeyRecord): FoundKey {
  return { id, name, state, prefix, lastFour };
}
