import type { UpstreamError } from '@switchboard/upstream';
import { LRUCache } from 'lru-cache';

/** Error code of a business that is not onboarded. */
const TERMS_MISSING = 131055;
/** Error code of an unknown path or object: this API version has no such endpoint, or the token has no access to it. */
const UNKNOWN_PATH = 2500;
/**
 * Errors about a template that only this endpoint returns: it does not support a parameter, does not know the template
 * yet, does not classify it as marketing, or the template is unavailable.
 */
const ABOUT_TEMPLATE = [100, 131009, 134100, 134101, 134102];
const REMEMBERED = 10_000;
const NUMBER_MS = 600_000;
/**
 * Time for which a template's error is cached. The platform needs up to ten minutes for a new template, and an
 * occasional attempt is cheap.
 */
const TEMPLATE_MS = 60_000;

/** Fields of a send to which such an error can refer. */
interface MarketingSend {
  numberId: string;
  content: object;
}

const templateOf = ({ content }: MarketingSend): string => ('name' in content ? String(content.name) : '');

/**
 * Caches the numbers and templates for which the platform's marketing endpoint returns errors of its own. A rejected
 * message was not sent, so it can be sent as a regular message. Until the entry expires, similar messages skip the
 * endpoint.
 */
export class MarketingEndpoint {
  private readonly refused = new LRUCache<string, true>({ max: REMEMBERED, ttl: NUMBER_MS });

  /** Returns true unless a recent error rules out the marketing endpoint for this send. */
  mayTake(send: MarketingSend): boolean {
    return !this.refused.has(send.numberId) && !this.refused.has(`${send.numberId} ${templateOf(send)}`);
  }

  /**
   * Caches an error of the endpoint.
   * @returns true if the error is specific to this endpoint, so that the message may be sent as a regular one; false if
   * the message may already have been sent
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
