import type { UpstreamError } from '@switchboard/upstream';
import { LRUCache } from 'lru-cache';

/** The business is not onboarded after all. */
const TERMS_MISSING = 131055;
/** Path or object unknown: this version of the API has no such endpoint, or not for this token. */
const UNKNOWN_PATH = 2500;
/**
 * What may be wrong with a template there alone: a parameter that this endpoint does not take, a template that is not
 * yet known to it, is no marketing for it, or is not available.
 */
const ABOUT_TEMPLATE = [100, 131009, 134100, 134101, 134102];
const REMEMBERED = 10_000;
const NUMBER_MS = 600_000;
/** The platform takes up to ten minutes for a new template; a try now and then costs little. */
const TEMPLATE_MS = 60_000;

/** The part of a send that such a refusal can be about. */
interface MarketingSend {
  numberId: string;
  content: object;
}

const templateOf = ({ content }: MarketingSend): string => ('name' in content ? String(content.name) : '');

/**
 * Knows where the platform's endpoint for marketing refuses for reasons of its own. What it refuses was certainly not
 * sent, so that it can go out like any other message; the next ones of the same kind go out so at once for a while.
 */
export class MarketingEndpoint {
  private readonly refused = new LRUCache<string, true>({ max: REMEMBERED, ttl: NUMBER_MS });

  /** Whether nothing is known that speaks against this send there. */
  mayTake(send: MarketingSend): boolean {
    return !this.refused.has(send.numberId) && !this.refused.has(`${send.numberId} ${templateOf(send)}`);
  }

  /**
   * Remembers a refusal.
   * @returns whether it is one of the endpoint alone, so that the message may be sent as any other; never when
   * something may have been sent
   */
  noteRefusal(send: MarketingSend, { kind, code, category }: UpstreamError): boolean {
    if (kind !== 'rejected' || code === undefined) return false;
    if (code === TERMS_MISSING || code === UNKNOWN_PATH || category === 'auth') {
      this.refused.set(send.numberId, true);
      return true;
    }
    if (!ABOUT_TEMPLATE.includes(code)) return false;
    this.refused.set(`${send.numberId} ${templateOf(send)}`, true, { ttl: TEMPLATE_MS });
    return true;
  }
}
