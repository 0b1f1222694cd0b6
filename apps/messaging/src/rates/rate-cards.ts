import { Injectable } from '@nestjs/common';
import { type RateCard, rateCardOf } from '@switchboard/pricing';
import { RatesService } from './rates.service';

/** Maximum age of the cached card, and so the delay until a changed rate applies. */
const TIME_TO_LIVE_MS = 5_000;

/** Caches the rate card for sends with a spend cap and for the charges of jobs, which pages read every few seconds. */
@Injectable()
export class RateCards {
  private known: { card: Promise<RateCard>; until: number } | undefined;

  constructor(private readonly rates: RatesService) {}

  /** Returns the card, at most five seconds old. */
  current(): Promise<RateCard> {
    const { card, until = 0 } = this.known ?? {};
    return card && until > performance.now() ? card : this.latest();
  }

  /** Reads the card. Use it before a message is rejected for a missing rate, which may be imported just now. */
  latest(): Promise<RateCard> {
    const card = this.rates.list().then(({ rates }) => rateCardOf(rates));
    this.known = { card, until: performance.now() + TIME_TO_LIVE_MS };
    // Drops a failed read, so that the next caller retries.
    card.catch(() => (this.known = undefined));
    return card;
  }
}
