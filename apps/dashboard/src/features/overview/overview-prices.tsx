import { api, must, type Schemas } from '../../api/client';
import { useRead } from '../../hooks/queries';
import { Failure, Skeleton, wordOf } from '../../components/display';
import { ShareBar } from '../../components/share-bar';
import { countText as count } from '../../lib/formats';
import type { Period } from './overview-statistics';
import { type PricedCategory, pricedCategories } from './priced-categories';

const LOOK_MS = 10_000;
const textOf = (word: string | null): string => (word === null ? 'Not reported' : wordOf(word).replaceAll('_', ' '));

function usePrices({ unit, count: wanted }: Period) {
  return useRead(
    ['prices', unit, wanted],
    async (): Promise<Schemas['PriceFigures'][]> => {
      const { periods } =
        unit === 'hour'
          ? await must(api.GET('/console/v1/figures/prices/hours', { params: { query: { hours: wanted } } }))
          : await must(api.GET('/console/v1/figures/prices', { params: { query: { days: wanted } } }));
      return periods.flatMap(({ prices }) => prices);
    },
    { everyMs: () => LOOK_MS },
  );
}

export function OverviewPrices({ period }: { period: Period }) {
  const { data, error, refetch } = usePrices(period);
  const categories = data && pricedCategories(data);
  const sum = (of: (one: PricedCategory) => number): number =>
    (categories ?? []).reduce((all, one) => all + of(one), 0);
  return (
    <section className="section" aria-labelledby="prices-title">
      <div className="section-head">
        <h2 id="prices-title">Billed messages by category</h2>
        <span className="count">{period.text}, reported by the platform</span>
        {categories && categories.length > 0 && (
          <div className="legend push">
            <LegendKey look="delivered" text="Billed" value={sum(({ billed }) => billed)} />
            <LegendKey look="pending" text="Free" value={sum(({ free }) => free)} />
          </div>
        )}
      </div>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={3} />}
      {categories?.length === 0 && (
        <p className="hint">
          No prices reported for this period. The platform reports the price with the first statuses of a message.
        </p>
      )}
      {categories && categories.length > 0 && <PriceTable categories={categories} />}
    </section>
  );
}

function LegendKey({ look, text, value }: { look: 'delivered' | 'pending'; text: string; value: number }) {
  return (
    <span>
      <svg className={`key c-${look}`} viewBox="0 0 8 8" aria-hidden>
        <rect width="8" height="8" />
      </svg>
      {text} <span className="n">{count(value)}</span>
    </span>
  );
}

function PriceTable({ categories }: { categories: readonly PricedCategory[] }) {
  const most = Math.max(...categories.map(({ billed, free, untold }) => billed + free + untold));
  const hasUntold = categories.some(({ untold }) => untold > 0);
  return (
    <div className="scroll-x">
      <table className="table" aria-label="Billed messages by category">
        <thead>
          <tr>
            <th scope="col">Category</th>
            <th scope="col" className="num">
              Billed
            </th>
            <th scope="col" className="num">
              Free
            </th>
            {hasUntold && (
              <th scope="col" className="num">
                Not reported{' '}
              </th>
            )}
            <th scope="col" className="wide hide-sm" aria-hidden />
          </tr>
        </thead>
        <tbody>
          {categories.map((one) => (
            <tr key={one.category ?? ''}>
              <td>
                {textOf(one.category)}
                {one.reasons.length > 0 && (
                  <div className="hint">
                    {one.reasons.map(({ type, messages }) => `${textOf(type)} ${count(messages)}`).join(', ')}
                  </div>
                )}
              </td>
              <td className="num">{count(one.billed)}</td>
              <td className="num">{count(one.free)}</td>
              {hasUntold && <td className="num">{count(one.untold)}</td>}
              <td className="hide-sm" aria-hidden>
                <Bar one={one} most={most} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Bar of a category, scaled to the largest category. */
function Bar({ one: { billed, free, untold }, most }: { one: PricedCategory; most: number }) {
  const shares = [
    { look: 'delivered', percent: (100 * billed) / most },
    { look: 'pending', percent: (100 * (free + untold)) / most },
  ];
  return <ShareBar shares={shares} isSmall />;
}
