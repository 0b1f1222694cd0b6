import { Injectable } from '@nestjs/common';
import { type RateCard, rateCardOf } from '@switchboard/pricing';
import { RatesService } from './rates.service';

/** Maximum age of the cached card, and so the delay until an import applies. */
const TIME_TO_LIVE_MS = 5_000;

/** Caches the rate card for sends with a spend cap and for the charges of jobs, which pages read every few seconds. */
@Injectable()
export class RateCards {
  private known: { card: Promise<RateCard>; until: number } | undefined;

  constructor(private readonly rates: RatesService) {}

  current(): Promise<RateCard> {
    const now = performance.now();
    if (this.known && this.known.until > now) return this.known.card;
    const card = this.rates.list().then(({ rates }) => rateCardOf(rates));
    this.known = { card, until: now + TIME_TO_LIVE_MS };
    // Drops a failed read, so that the next caller retries.
    card.catch(() => (this.known = undefined));
    return card;
  }
}
