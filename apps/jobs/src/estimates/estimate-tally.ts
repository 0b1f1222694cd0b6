import {
  type EstimatedAccountCap,
  type EstimatedCap,
  type EstimatedFree,
  type EstimatedGroup,
  type EstimateLine,
  type EstimateSendsReply,
  type ExpectedFailure,
  FAILURE_EXAMPLES_MAX,
  type FailureExample,
  type GetSendingCapacityReply,
  type PriceRange,
  type SpendCapRecord,
  type SpendLimit,
} from '@switchboard/contracts';
import { Amount, unitsOf } from '@switchboard/pricing';
import { shownPhone } from '../jobs/row-tally';
import type { JudgedRow } from '../jobs/row-validator';

type FreeService = Pick<GetSendingCapacityReply, 'freeServiceLeast' | 'freeServiceMost' | 'chargesService'>;
type Failure = Pick<ExpectedFailure, 'reason' | 'code'>;
type Coverage = Omit<EstimatedCap, keyof SpendLimit>;

const SERVICE = 'service';

/** Charged messages with the same price range. */
type Charged = Pick<EstimatedGroup, 'messages' | 'lowest' | 'highest'>;

interface Line {
  category: string;
  market: string;
  messages: number;
  free: number;
  /** Key: lowest and highest price. */
  charged: Map<string, Charged>;
}

/** Recipient of a job. */
export type EstimatedRecipient = Pick<JudgedRow, 'position' | 'phone'>;

/** Adds up the estimates of a job's parts. Its size does not depend on the number of recipients. */
export class EstimateTally {
  private readonly lines = new Map<string, Line>();
  private readonly free = new Map<EstimatedFree['reason'], number>();
  private readonly failures = new Map<string, ExpectedFailure>();
  /** Number of messages by the amount that each reserves. */
  private readonly reserved = new Map<string, number>();
  private currency: string | null = null;
  messages = 0;
  initiated = 0;

  /** Counts the rejected rows among the given ones. */
  addRejected(rows: readonly JudgedRow[]): void {
    for (const { position, phone, fault } of rows)
      if (fault)
        this.addFailure({ reason: 'invalid', code: fault.code }, { index: position, phone: shownPhone(phone) });
  }

  /** @param recipients those of the command, in the same order */
  add(
    recipients: readonly EstimatedRecipient[],
    { currency, groups, rejections, initiated }: EstimateSendsReply,
  ): void {
    this.currency ??= currency;
    this.messages += recipients.length - rejections.length;
    this.initiated += initiated;
    for (const group of groups) this.addGroup(group);
    for (const { index, reason, code } of rejections) {
      const { position = 0, phone = '' } = recipients[index] ?? {};
      this.addFailure({ reason, code }, { index: position, phone });
    }
  }

  /** Returns the totals of all batches added so far. */
  result({ freeServiceLeast, freeServiceMost, chargesService }: FreeService): {
    currency: string | null;
    price: PriceRange;
    lines: EstimateLine[];
    free: EstimatedFree[];
    failures: ExpectedFailure[];
  } {
    const lines = [...this.lines.values()].toSorted((one, other) => other.messages - one.messages);
    const service = sumOf(lines.filter(({ category }) => category === SERVICE).flatMap(chargedOf));
    // An allowance exists only once the platform charges for service messages.
    const allowance = chargesService
      ? { least: Math.min(freeServiceLeast, service), most: Math.min(freeServiceMost, service) }
      : { least: 0, most: 0 };
    const free = new Map(this.free);
    if (allowance.least > 0) free.set('free_allowance', allowance.least);
    return {
      currency: this.currency,
      price: this.rangeOf(lines, allowance),
      lines: lines.map((line) => this.shown(line, { service, ...allowance })),
      free: [...free].map(([reason, messages]) => ({ reason, messages })),
      failures: [...this.failures.values()].toSorted((one, other) => other.recipients - one.recipients),
    };
  }

  /** Returns how many of the messages a spend cap allows. Call after the last batch. */
  within({ amount, currency }: SpendLimit, freeService: FreeService): EstimatedCap {
    return { amount, currency, ...this.coveredBy(unitsOf(amount), freeService) };
  }

  /** Returns how many of the messages the account's spend cap still allows. Call after the last batch. */
  withinAccount(cap: SpendCapRecord, freeService: FreeService): EstimatedAccountCap {
    const left = unitsOf(cap.amount) - unitsOf(cap.spent) - unitsOf(cap.reserved);
    return { ...cap, ...this.coveredBy(left, freeService) };
  }

  /** @param left rest of a cap, below zero if the cap was lowered */
  private coveredBy(left: bigint, { freeServiceMost, chargesService }: FreeService): Coverage {
    // Each message first reserves its highest price, even if it turns out to be free.
    if (left < 0n || ![...this.reserved.keys()].some((each) => unitsOf(each) <= left))
      return { messagesAtHighest: 0, messagesAtLowest: 0, wouldPause: this.messages > 0 };
    const lines = [...this.lines.values()];
    const charged = lines.flatMap((line) => chargedOf(line).map((each) => ({ ...each, category: line.category })));
    const service = charged.filter(({ category }) => category === SERVICE);
    const mostFree = chargesService ? Math.min(freeServiceMost, sumOf(service)) : 0;
    const lowest = [
      ...charged.filter(({ category }) => category !== SERVICE),
      ...withoutFree(service, mostFree, 'priciest'),
    ];
    const free = this.messages - sumOf(lowest);
    const reserved = [...this.reserved].map(([each, messages]) => ({ amount: each, messages }));
    const messagesAtHighest = countWithin(left, reserved.toSorted(byAmount).toReversed());
    const messagesAtLowest = countWithin(
      left,
      [
        { amount: '0', messages: free },
        ...lowest.map(({ lowest: each, messages }) => ({ amount: each ?? '0', messages })),
      ].toSorted(byAmount),
    );
    return { messagesAtHighest, messagesAtLowest, wouldPause: messagesAtHighest < this.messages };
  }

  private addGroup({ category, market, messages, lowest, highest, free, reserved }: EstimatedGroup): void {
    const amount = reserved ?? highest ?? '0';
    this.reserved.set(amount, (this.reserved.get(amount) ?? 0) + messages);
    const key = `${category}\n${market}`;
    const line = this.lines.get(key) ?? { category, market, messages: 0, free: 0, charged: new Map() };
    this.lines.set(key, line);
    line.messages += messages;
    if (free !== null) {
      line.free += messages;
      this.free.set(free, (this.free.get(free) ?? 0) + messages);
      return;
    }
    const price = `${lowest}\n${highest}`;
    const known = line.charged.get(price);
    if (known) known.messages += messages;
    else line.charged.set(price, { messages, lowest, highest });
  }

  private addFailure({ reason, code }: Failure, example: FailureExample): void {
    const key = `${reason}\n${code}`;
    const failure = this.failures.get(key) ?? { reason, code, recipients: 0, examples: [] };
    this.failures.set(key, failure);
    failure.recipients += 1;
    if (failure.examples.length < FAILURE_EXAMPLES_MAX) failure.examples.push(example);
  }

  private shown(line: Line, { service, least, most }: { service: number; least: number; most: number }): EstimateLine {
    const { category, market, messages } = line;
    const own = category === SERVICE ? sumOf(chargedOf(line)) : 0;
    // Any line may use up the allowance, because the order of the sends is unknown.
    const allowance = { least: Math.max(0, Math.min(own, least - (service - own))), most: Math.min(own, most) };
    return { category, market, messages, free: line.free + allowance.least, ...this.rangeOf([line], allowance) };
  }

  private rangeOf(lines: readonly Line[], { least, most }: { least: number; most: number }): PriceRange {
    const others = lines.filter(({ category }) => category !== SERVICE).flatMap(chargedOf);
    const service = lines.filter(({ category }) => category === SERVICE).flatMap(chargedOf);
    const unrated = sumOf([...others, ...service].filter(({ lowest }) => lowest === null));
    const charged = sumOf([...others, ...service]) - least;
    if (this.currency === null || (charged > 0 && unrated >= charged)) return { lowest: null, highest: null, unrated };
    return {
      lowest: priceOf('lowest', [...others, ...withoutFree(service, most, 'priciest')]),
      highest: priceOf('highest', [...others, ...withoutFree(service, least, 'cheapest')]),
      unrated,
    };
  }
}

const chargedOf = ({ charged }: Line): Charged[] => [...charged.values()];
const sumOf = (charged: readonly Charged[]): number => charged.reduce((sum, { messages }) => sum + messages, 0);

function priceOf(which: 'lowest' | 'highest', charged: readonly Charged[]): string {
  const amount = new Amount();
  for (const { messages, [which]: rate } of charged) if (rate !== null) amount.add(rate, messages);
  return amount.toString();
}

/** Subtracts a number of free messages, starting with the priciest or the cheapest. */
function withoutFree(charged: readonly Charged[], free: number, first: 'priciest' | 'cheapest'): Charged[] {
  const rateOf = ({ lowest, highest }: Charged): number => Number((first === 'priciest' ? lowest : highest) ?? 0);
  const sorted = charged.toSorted((one, other) =>
    first === 'priciest' ? rateOf(other) - rateOf(one) : rateOf(one) - rateOf(other),
  );
  let left = free;
  return sorted.map((each) => {
    const taken = Math.min(left, each.messages);
    left -= taken;
    return { ...each, messages: each.messages - taken };
  });
}

/** Messages that cost the same. */
interface Priced {
  amount: string;
  messages: number;
}

const byAmount = (one: Priced, other: Priced): number => Number(one.amount) - Number(other.amount);

/** Returns how many of the messages an amount covers, in their order. */
function countWithin(amount: bigint, messages: readonly Priced[]): number {
  let left = amount;
  let count = 0;
  for (const { amount: each, messages: most } of messages) {
    const price = unitsOf(each);
    const covered = price === 0n ? BigInt(most) : left / price;
    const taken = covered < BigInt(most) ? Number(covered) : most;
    count += taken;
    left -= price * BigInt(taken);
    if (taken < most) break;
  }
  return count;
}
