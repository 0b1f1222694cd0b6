import { Inject, Injectable } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import {
  AppError,
  type GetTemplateReply,
  normaliseLanguage,
  templateMissing,
  type TemplateRecord,
} from '@switchboard/contracts';
import { entryBytes, MIB } from '@switchboard/platform';
import { TemplatesClient } from '@switchboard/service-clients';
import { LRUCache } from 'lru-cache';

/**
 * Upper bound for the age of stale data. Events invalidate entries on every replica; this limit covers changes without
 * an event.
 */
const TIME_TO_LIVE_MS = 30_000;
const MAX_BYTES = 32 * MIB;

interface Entry {
  reply: Promise<GetTemplateReply>;
  /** Absent while the request is pending. */
  answer?: GetTemplateReply;
}

/** Maximum number of languages in an error message. */
const MOST_LANGUAGES = 20;

export interface TemplateKey {
  accountId: string;
  /** Business account ID of the sending number. Absent to match any business account of the account. */
  wabaId?: string;
  name: string;
  language: string;
}

/** Caches templates for sends, to avoid a request to the templates service for every send. */
@Injectable()
export class TemplateCache {
  private readonly entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ answer }, id) => entryBytes(id, answer ?? null),
    ttl: TIME_TO_LIVE_MS,
  });

  constructor(
    private readonly templates: TemplatesClient,
    @Inject(Broker) broker: Pick<Broker, 'onBroadcastsMissed'>,
  ) {
    broker.onBroadcastsMissed(() => this.entries.clear());
  }

  /**
   * Returns the template in any status, or null when no template has this name and language.
   * @throws AppError UNAVAILABLE when the templates service does not respond and nothing is cached
   */
  async find(key: TemplateKey): Promise<TemplateRecord | null> {
    const id = idOf(key);
    const known = this.entries.get(id);
    if (known) return (await known.reply).template;
    return (await this.load(id, key)).template;
  }

  /** Returns the error for a missing template, including the languages in which it exists. */
  async missing({ language, ...key }: TemplateKey): Promise<AppError> {
    const { languages } = await this.templates.getTemplate({
      ...key,
      language: normaliseLanguage(language),
    });
    // Older versions of the service do not return languages.
    if (!languages) return new AppError('TEMPLATE_NOT_FOUND');
    const shown = [...languages.slice(0, MOST_LANGUAGES), ...(languages.length > MOST_LANGUAGES ? ['…'] : [])];
    return templateMissing(key.name, shown);
  }

  /** Evicts all languages of a template, including pending requests. */
  evict(accountId: string, name: string): void {
    const prefix = prefixOf({ accountId, name });
    for (const id of [...this.entries.keys()]) if (id.startsWith(prefix)) this.entries.delete(id);
  }

  private async load(id: string, key: TemplateKey): Promise<GetTemplateReply> {
    const reply = this.templates.getTemplate({ ...key, language: normaliseLanguage(key.language) });
    const entry: Entry = { reply };
    this.entries.set(id, entry);
    try {
      const answer = await reply;
      // Do not cache a missing template, which may be created at any time without an event.
      if (!answer.template) this.forget(id, entry);
      else this.keep(id, entry, answer);
      return answer;
    } catch (error) {
      this.forget(id, entry);
      throw error;
    }
  }

  /** Stores the response, whose size is now known. Its time to live started with the request. */
  private keep(id: string, entry: Entry, answer: GetTemplateReply): void {
    if (this.entries.peek(id) !== entry) return;
    this.entries.set(id, { ...entry, answer }, { ttl: this.entries.getRemainingTTL(id) });
  }

  private forget(id: string, entry: Entry): void {
    if (this.entries.peek(id) === entry) this.entries.delete(id);
  }
}

function prefixOf({ accountId, name }: Pick<TemplateKey, 'accountId' | 'name'>): string {
  return `${accountId}\n${name}\n`;
}

function idOf(key: TemplateKey): string {
  return `${prefixOf(key)}${normaliseLanguage(key.language)}\n${key.wabaId ?? ''}`;
}
