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

/** Every replica hears of changes; this is for what no event tells. */
const TIME_TO_LIVE_MS = 30_000;
const MAX_BYTES = 32 * MIB;

interface Entry {
  reply: Promise<GetTemplateReply>;
  /** Absent while the answer is under way. */
  answer?: GetTemplateReply;
}

/** Languages that an error names. */
const MOST_LANGUAGES = 20;

export interface TemplateKey {
  accountId: string;
  /** The business account upstream of the number that sends; of any of the account's when absent. */
  wabaId?: string;
  name: string;
  language: string;
}

/** Copies of templates for the way of a send, so that not each asks the templates service. */
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
   * The template of any status; null when there is none of this name and language.
   * @throws AppError UNAVAILABLE when the templates service does not answer and there is no copy
   */
  async find(key: TemplateKey): Promise<TemplateRecord | null> {
    const id = idOf(key);
    const known = this.entries.get(id);
    if (known) return (await known.reply).template;
    return (await this.load(id, key)).template;
  }

  /** The error for a template that is missing, with the languages that there are of it. */
  async missing({ language, ...key }: TemplateKey): Promise<AppError> {
    const { languages } = await this.templates.getTemplate({
      ...key,
      language: normaliseLanguage(language),
    });
    // An earlier version of the service reports no languages.
    if (!languages) return new AppError('TEMPLATE_NOT_FOUND');
    const shown = [...languages.slice(0, MOST_LANGUAGES), ...(languages.length > MOST_LANGUAGES ? ['…'] : [])];
    return templateMissing(key.name, shown);
  }

  /** Forgets all languages of a template, answers that are still under way included. */
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
      // A template that is missing may be created any moment, and no event would tell.
      if (!answer.template) this.forget(id, entry);
      else this.keep(id, entry, answer);
      return answer;
    } catch (error) {
      this.forget(id, entry);
      throw error;
    }
  }

  /** Now its size is known. It is as old as the question. */
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
