import type { EstimatedGroup, EstimatedRejection, EstimateSendsReply } from '@switchboard/contracts';
import { countryOf, freeReasonOf, marketOf, priceOf, type RateCard } from '@switchboard/pricing';
import type { EstimatedNumber, RecipientState } from './estimates.queries';

const STRANGER: Omit<RecipientState, 'position'> = {
  isBlocked: false,
  isBlockedUpstream: false,
  isOptedOut: false,
  hasWindow: false,
  isEntryPoint: false,
};
const NO_CHARGE = '0.00';

export interface PricedSends {
  card: RateCard;
  currency: string | null;
  /** Template category in upper case; undefined for other messages. */
  category: string | undefined;
  /** Phone number of the business. */
  from: string;
  number: EstimatedNumber;
  at: Date;
  recipients: readonly string[];
  /** States of the known recipients by index. */
  states: ReadonlyMap<number, RecipientState>;
}

/** Returns the expected prices and rejections of sends. */
export function priceSends({ recipients, states, currency, ...sends }: PricedSends): EstimateSendsReply {
  const groups = new Map<string, EstimatedGroup>();
  const rejections: EstimatedRejection[] = [];
  const home = countryOf(sends.from);
  let initiated = 0;
  recipients.forEach((recipient, index) => {
    const state = states.get(index) ?? STRANGER;
    const rejection = rejectionOf(state, sends);
    if (rejection) return void rejections.push({ index, ...rejection });
    if (!state.hasWindow) initiated += 1;
    const group = groupOf(countryOf(recipient), home, { ...sends, state });
    const key = [group.category, group.market, group.free, group.lowest, group.highest].join('\n');
    const known = groups.get(key);
    if (known) known.messages += 1;
    else groups.set(key, group);
  });
  return { currency, groups: [...groups.values()], rejections, initiated };
}

type Sends = Omit<PricedSends, 'recipients' | 'states' | 'currency'>;

/** Predicts the error of a send. Checks in the order of `BEGIN_SENDS` and returns the codes of `refusalOfBegin`. */
function rejectionOf(
  { isBlocked, isBlockedUpstream, isOptedOut, hasWindow }: typeof STRANGER,
  { category, number }: Sends,
): Omit<EstimatedRejection, 'index'> | undefined {
  if (isBlocked) return { reason: 'blocked', code: 'RECIPIENT_OPTED_OUT' };
  if (isBlockedUpstream) return { reason: 'blocked', code: 'RECIPIENT_BLOCKED' };
  if (isOptedOut && category === 'MARKETING') return { reason: 'opted_out', code: 'RECIPIENT_OPTED_OUT' };
  const isClosed = category === undefined && !hasWindow && !number.isWindowUnchecked;
  return isClosed ? { reason: 'window_closed', code: 'WINDOW_CLOSED' } : undefined;
}

function groupOf(
  country: string | null,
  home: string | null,
  { card, at, category: template, number, state }: Sends & { state: typeof STRANGER },
): EstimatedGroup {
  const category = categoryOf(template, number);
  const market = marketOf(card, country, at);
  const free = freeReasonOf(category, { at, ...state });
  const group = { category, market, messages: 1, free };
  if (free !== null) return { ...group, lowest: NO_CHARGE, highest: NO_CHARGE };
  const amounts = categoriesOf(category, country !== home)
    .flatMap((each) => priceOf(card, market, each, at)?.amount ?? [])
    .toSorted((one, other) => Number(one) - Number(other));
  const [lowest = null] = amounts;
  // Without a window known here, the platform decides whether to reject the message.
  const isUncertain = template === undefined && !state.hasWindow;
  return { ...group, lowest: isUncertain && lowest !== null ? NO_CHARGE : lowest, highest: amounts.at(-1) ?? null };
}

function categoryOf(template: string | undefined, { isByMarketingEndpoint }: EstimatedNumber): string {
  if (template === undefined) return 'service';
  return template === 'MARKETING' && isByMarketingEndpoint ? 'marketing_lite' : template.toLowerCase();
}

/** Returns the categories that may be charged. The platform decides which businesses pay the international rate. */
function categoriesOf(category: string, isAbroad: boolean): string[] {
  return category === 'authentication' && isAbroad ? [category, 'authentication-international'] : [category];
}
