import type { EstimatedGroup, EstimatedRejection, EstimateSendsReply } from '@switchboard/contracts';
import { countryOf, freeReasonOf, highestPriceOf, marketOf, priceOf, type RateCard } from '@switchboard/pricing';
import type { EstimatedNumber, RecipientState } from './estimates.queries';

const STRANGER: Omit<RecipientState, 'position'> = {
  isBlocked: false,
  isBlockedUpstream: false,
  isOptedOut: false,
  hasWindow: false,
  isEntryPoint: false,
};
const NO_CHARGE = '0.00';
/** Pricing category of messages without a template. */
const SERVICE = 'service';

/** A number that may send the messages. */
export interface Sender {
  number: EstimatedNumber;
  /** States of the known recipients towards the number, by index. */
  states: ReadonlyMap<number, RecipientState>;
}

export interface PricedSends {
  card: RateCard;
  /** Template category in upper case; undefined for other messages. */
  category: string | undefined;
  /** In the order of the job. Which of them sends to a recipient is unknown. */
  senders: readonly Sender[];
  at: Date;
  recipients: readonly string[];
  /** True if the job has a spend cap. Messages without a rate in the currency of a cap are rejected. */
  isCapped: boolean;
}

/** Returns the expected prices and rejections of sends. */
export function priceSends({ recipients, ...sends }: PricedSends): EstimateSendsReply {
  const groups = new Map<string, EstimatedGroup>();
  const rejections: EstimatedRejection[] = [];
  let initiated = 0;
  const homes = sends.senders.map(({ number }) => countryOf(number.phoneNumber));
  recipients.forEach((recipient, index) => {
    const result = sendOf({ country: countryOf(recipient), index, homes }, sends);
    if ('code' in result) return void rejections.push({ index, ...result });
    const { isInitiated, ...group } = result;
    if (isInitiated) initiated += 1;
    const key = [group.category, group.market, group.free, group.lowest, group.highest, group.reserved].join('\n');
    const known = groups.get(key);
    if (known) known.messages += 1;
    else groups.set(key, group);
  });
  return { currency: sends.card.currency, groups: [...groups.values()], rejections, initiated };
}

type Sends = Omit<PricedSends, 'recipients'>;
type Rejection = Omit<EstimatedRejection, 'index'>;
interface EstimatedRecipient {
  country: string | null;
  /** Position in the given list. */
  index: number;
  /** Countries of the numbers. */
  homes: readonly (string | null)[];
}
type PricedSend = EstimatedGroup & { isInitiated: boolean };

/** Returns the price of a send, or its error if none of the numbers can send. */
function sendOf({ country, index, homes }: EstimatedRecipient, sends: Sends): PricedSend | Rejection {
  const rejections: Rejection[] = [];
  const priced: PricedSend[] = [];
  for (const [position, { number, states }] of sends.senders.entries()) {
    const state = states.get(index) ?? STRANGER;
    const rejection = rejectionOf(state, sends.category, number);
    if (rejection) rejections.push(rejection);
    else {
      const group = groupOf(country, { ...sends, number, state, isAbroad: country !== homes[position] });
      priced.push({ ...group, isInitiated: !state.hasWindow });
    }
  }
  const [first] = priced;
  if (!first) return rejections[0] ?? { reason: 'blocked', code: 'RECIPIENT_BLOCKED' };
  const currencies = sends.senders.flatMap(({ number }) => number.capCurrency ?? []);
  const isRateless = first.reserved === null || currencies.some((currency) => currency !== sends.card.currency);
  if ((sends.isCapped || currencies.length > 0) && isRateless) return { reason: 'rate_unknown', code: 'RATE_UNKNOWN' };
  // A number that the recipient has not written to leaves the message to another one. One that blocks the recipient
  // does not, and the message fails if that number gets it.
  const mayFail = rejections.some(({ reason }) => reason === 'blocked');
  return combined(priced, first, mayFail);
}

function combined(priced: readonly PricedSend[], first: PricedSend, mayFail: boolean): PricedSend {
  const amountsOf = (key: 'lowest' | 'highest'): string[] => ascending(priced.flatMap((each) => each[key] ?? []));
  const isFree = !mayFail && priced.every(({ free }) => free !== null);
  const [lowest = null] = amountsOf('lowest');
  return {
    ...first,
    free: isFree ? first.free : null,
    lowest: mayFail && lowest !== null ? NO_CHARGE : lowest,
    highest: amountsOf('highest').at(-1) ?? null,
    isInitiated: priced.some(({ isInitiated }) => isInitiated),
  };
}

const ascending = (amounts: readonly string[]): string[] =>
  amounts.toSorted((one, other) => Number(one) - Number(other));

/** Predicts the error of a send. Checks in the order of `BEGIN_SENDS` and returns the codes of `refusalOfBegin`. */
function rejectionOf(
  { isBlocked, isBlockedUpstream, isOptedOut, hasWindow }: typeof STRANGER,
  category: string | undefined,
  { isWindowUnchecked }: EstimatedNumber,
): Rejection | undefined {
  if (isBlocked) return { reason: 'blocked', code: 'RECIPIENT_OPTED_OUT' };
  if (isBlockedUpstream) return { reason: 'blocked', code: 'RECIPIENT_BLOCKED' };
  if (isOptedOut && category === 'MARKETING') return { reason: 'opted_out', code: 'RECIPIENT_OPTED_OUT' };
  const isClosed = category === undefined && !hasWindow && !isWindowUnchecked;
  return isClosed ? { reason: 'window_closed', code: 'WINDOW_CLOSED' } : undefined;
}

function groupOf(
  country: string | null,
  {
    card,
    at,
    category: template,
    number,
    state,
    isAbroad,
  }: Sends & { number: EstimatedNumber; state: typeof STRANGER; isAbroad: boolean },
): EstimatedGroup {
  const category = categoryOf(template, number);
  const market = marketOf(card, country, at);
  const free = freeReasonOf(category, { at, ...state });
  const reserved = highestPriceOf(card, market, template?.toLowerCase() ?? SERVICE, at)?.amount ?? null;
  const group = { category, market, messages: 1, free, reserved };
  if (free !== null) return { ...group, lowest: NO_CHARGE, highest: NO_CHARGE };
  const amounts = ascending(
    categoriesOf(category, isAbroad).flatMap((each) => priceOf(card, market, each, at)?.amount ?? []),
  );
  const [lowest = null] = amounts;
  // Without a window known here, the platform decides whether to reject the message.
  const isUncertain = template === undefined && !state.hasWindow;
  return { ...group, lowest: isUncertain && lowest !== null ? NO_CHARGE : lowest, highest: amounts.at(-1) ?? null };
}

function categoryOf(template: string | undefined, { isByMarketingEndpoint }: EstimatedNumber): string {
  if (template === undefined) return SERVICE;
  return template === 'MARKETING' && isByMarketingEndpoint ? 'marketing_lite' : template.toLowerCase();
}

/** Returns the categories that may be charged. The platform decides which businesses pay the international rate. */
function categoriesOf(category: string, isAbroad: boolean): string[] {
  return category === 'authentication' && isAbroad ? [category, 'authentication-international'] : [category];
}
