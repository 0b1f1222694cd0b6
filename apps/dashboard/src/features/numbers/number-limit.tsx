import { api, must, type Schemas } from '../../api/client';
import { Figure } from '../../components/display';
import { ShareBar } from '../../components/share-bar';
import { useRead } from '../../hooks/queries';
import { countText } from '../../lib/formats';

type BusinessNumber = Schemas['BusinessNumber'];

const LOOK_MS = 30_000;

/** Returns `TIER_10K` as readable text. */
export function limitText(limit: string | null): string {
  if (limit === null) return 'Not reported yet';
  if (limit === 'TIER_UNLIMITED') return 'No limit';
  if (!limit.startsWith('TIER_')) return limit;
  return `${limit.replace('TIER_', '').replace('K', ',000')} per day`;
}

/** Such as `305 of 2,000 used in 24 hours`; undefined without a known limit. */
export function usedText(read: Schemas['BusinessNumberAnswer'] | undefined): string | undefined {
  const { contactsLeft: left = null, contactLimit: limit = null } = read ?? {};
  if (left === null || limit === null) return undefined;
  return `${countText(limit - left)} of ${countText(limit)} used in 24 hours`;
}

/** Use of the messaging limit, per business portfolio. */
export function LimitUse({ numbers }: { numbers: readonly BusinessNumber[] }) {
  // The numbers of a portfolio share the limit.
  const ofPortfolios = [...new Map(numbers.toReversed().map((number) => [number.portfolioId, number])).values()];
  const limited = ofPortfolios.toReversed().filter(({ messagingLimit }) => messagingLimit !== null);
  if (limited.length === 0) return null;
  return (
    <dl className="figures block">
      {limited.map((number) => (
        <PortfolioUse key={number.id} number={number} isOnly={limited.length === 1} />
      ))}
    </dl>
  );
}

function PortfolioUse({
  number: { id, phoneNumber, messagingLimit },
  isOnly,
}: {
  number: BusinessNumber;
  isOnly: boolean;
}) {
  const { data } = useRead(
    ['numbers', id],
    () => must(api.GET('/console/v1/numbers/{numberId}', { params: { path: { numberId: id } } })),
    { everyMs: () => LOOK_MS },
  );
  if (data?.contactsLeft == null || data.contactLimit === null)
    return <Figure name="Messaging limit" value={limitText(messagingLimit)} note={`of +${phoneNumber}`} />;
  const used = data.contactLimit - data.contactsLeft;
  return (
    <Figure
      name={isOnly ? 'New conversations in 24 hours' : `New conversations in 24 hours, portfolio of +${phoneNumber}`}
      value={`${countText(used)} of ${countText(data.contactLimit)}`}
      note={`${countText(data.contactsLeft)} contacts left`}
    >
      <ShareBar shares={[{ look: 'delivered', percent: (100 * used) / data.contactLimit }]} isSmall />
    </Figure>
  );
}
