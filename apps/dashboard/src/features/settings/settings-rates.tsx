import { CircleDollarSign } from 'lucide-react';
import { api, must } from '../../api/client';
import { wordOf } from '../../components/display';
import { List } from '../../components/list';
import { useRead } from '../../hooks/queries';

/** Today's rates of the installation, which only its operator can change. */
export function RateCard() {
  const card = useRead(['rates'], () => must(api.GET('/console/v1/rates')));
  return (
    <div className="stack-2">
      <p className="hint">
        All accounts of this installation share the rate card, which its operator imports. These rates are in force
        today. Messages without a rate have no amount on the page Plan and usage.
      </p>
      <List
        label="Rate card"
        list={{ ...card, rows: card.data?.rates ?? [] }}
        keyOf={({ market, category }) => `${market} ${category}`}
        empty={{
          icon: CircleDollarSign,
          title: 'No rates',
          text: 'The operator of this installation has not imported a rate card.',
        }}
        columns={[
          { head: 'Market', cell: ({ market }) => <span className="strong">{market}</span> },
          { head: 'Category', cell: ({ category }) => wordOf(category).replaceAll('_', ' ') },
          { head: 'Rate', isNumber: true, cell: ({ amount, currency }) => `${amount} ${currency}` },
          { head: 'Since', hide: 'sm', cell: ({ validFrom }) => <span className="dim">{validFrom}</span> },
          { head: 'Source', hide: 'md', cell: ({ source }) => <span className="dim">{source}</span> },
        ]}
      />
    </div>
  );
}
