import { Inject, Injectable } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import { type GetTemplateReply, getTemplateV1, type TemplateRecord, normaliseLanguage } from '@switchboard/contracts';

/** Every replica hears of changes; this is for what no event tells. */
const TIME_TO_LIVE_MS = 30_000;
const MAX_ENTRIES = 10_000;

interface Entry {
  reply: Promise<GetTemplateReply>;
  expiresAt: number;
}

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
  /** Oldest first, for the bound. */
  private readonly entries = new Map<string, Entry>();

  constructor(@Inject(Broker) private readonly broker: Pick<Broker, 'ask' | 'onBroadcastsMissed'>) {
    broker.onBroadcastsMissed(() => this.entries.clear());
  }

  /**
   * The template of any status; null when there is none of this name and language.
   * @throws AppError UNAVAILABLE when the templates service does not answer and there is no copy
   */
  async find(key: TemplateKey): Promise<TemplateRecord | null> {
    const id = idOf(key);
    const known = this.entries.get(id);
    if (known && known.expiresAt > performance.now()) return (await known.reply).template;
    return (await this.ask(id, key)).template;
  }

  /** Forgets all languages of a template, answers that are still under way included. */
  evict(accountId: string, name: string): void {
    const prefix = prefixOf({ accountId, name });
    for (const id of this.entries.keys()) if (id.startsWith(prefix)) this.entries.delete(id);
  }

  private async ask(id: string, key: TemplateKey): Promise<GetTemplateReply> {
    const reply = this.broker.ask(getTemplateV1, { ...key, language: normaliseLanguage(key.language) });
    const entry = { reply, expiresAt: performance.now() + TIME_TO_LIVE_MS };
    this.entries.delete(id);
    this.entries.set(id, entry);
    const oldest = this.entries.keys().next();
    if (this.entries.size > MAX_ENTRIES && !oldest.done) this.entries.delete(oldest.value);
    try {
      const answer = await reply;
      // A template that is missing may be created any moment, and no event would tell.
      if (!answer.template) this.forget(id, entry);
      return answer;
    } catch (error) {
      this.forget(id, entry);
      throw error;
    }
  }

  private forget(id: string, entry: Entry): void {
    if (this.entries.get(id) === entry) this.entries.delete(id);
  }
}

function prefixOf({ accountId, name }: Pick<TemplateKey, 'accountId' | 'name'>): string {
  return `${accountId}\n${name}\n`;
}

function idOf(key: TemplateKey): string {
  return `${prefixOf(key)}${normaliseLanguage(key.language)}\n${key.wabaId ?? ''}`;
}
