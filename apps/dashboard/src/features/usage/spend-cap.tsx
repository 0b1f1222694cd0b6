import { useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Button, Form, TextField } from '../../components/controls';
import { Note, Refused } from '../../components/display';
import { ShareBar } from '../../components/share-bar';
import { useChange, useRead } from '../../hooks/queries';
import { monthText } from '../../lib/formats';

type Cap = NonNullable<Schemas['Usage']['spendCap']>;

/** Percentage of the cap from which the page warns, as the notices do. */
const WARNING_PERCENT = 80;
const LOOK_MS = 60_000;

/** Spend cap of the account, with the amounts spent and reserved in the current month. */
export function SpendCap() {
  const month = new Date().toISOString().slice(0, 7);
  const usage = useRead(
    ['usage', month, 'category'],
    () => must(api.GET('/console/v1/usage', { params: { query: { month, by: 'category' } } })),
    { everyMs: () => LOOK_MS },
  );
  if (!usage.data) return null;
  const { spendCap = null, currency } = usage.data;
  return (
    <section className="section" aria-labelledby="spend-cap">
      <div className="section-head">
        <h2 id="spend-cap">Spend cap</h2>
        <span className="count">
          {spendCap ? `${monthText(spendCap.month)}, in UTC` : 'No cap. Messages are sent regardless of their price.'}
        </span>
      </div>
      <div className="stack">
        {spendCap && <Spent cap={spendCap} />}
        {currency === null ? (
          <p className="hint">
            The operator of this installation has not imported a rate card, so spend caps cannot be enforced.
          </p>
        ) : (
          <Change key={spendCap?.amount ?? ''} cap={spendCap} currency={currency} />
        )}
      </div>
    </section>
  );
}

function Spent({ cap }: { cap: Cap }) {
  const [amount, spent, reserved] = [cap.amount, cap.spent, cap.reserved].map(Number) as [number, number, number];
  const shareOf = (part: number): number => (amount > 0 ? Math.min(100, (part / amount) * 100) : 100);
  // Rounded first, because the sum of two decimals may be slightly too low.
  const percent = Math.floor(Number(shareOf(spent + reserved).toFixed(6)));
  const shares = [
    { look: 'delivered', percent: shareOf(spent) },
    { look: 'pending', percent: Math.min(shareOf(reserved), 100 - shareOf(spent)) },
  ];
  return (
    <div className="block block-body">
      <ShareBar
        shares={shares}
        label={`${percent} % of the cap: ${cap.spent} spent and ${cap.reserved} reserved of ${cap.amount} ${cap.currency}`}
      />
      <dl className="fact-row">
        <div>
          <dt>Cap</dt>
          <dd className="tn">{`${cap.amount} ${cap.currency}`}</dd>
        </div>
        <div>
          <dt>Spent</dt>
          <dd className="tn">{`${cap.spent} ${cap.currency}`}</dd>
        </div>
        <div>
          <dt>Reserved</dt>
          <dd className="tn">{`${cap.reserved} ${cap.currency}`}</dd>
        </div>
        <div>
          <dt>Used</dt>
          <dd className="tn">{percent} %</dd>
        </div>
      </dl>
      {percent >= WARNING_PERCENT && (
        <Note tone="warning">
          {percent >= 100
            ? 'The cap is reached. Messages are rejected and jobs are paused until the cap is raised or the next month starts.'
            : `The cap is nearly reached: ${percent} % is used. Messages whose highest price exceeds the rest are rejected, and jobs pause.`}
        </Note>
      )}
      <p className="hint">
        Each message reserves its highest possible price when it is sent. Messages that would exceed the cap are
        rejected, and jobs are paused.
      </p>
    </div>
  );
}

function Change({ cap, currency }: { cap: Cap | null; currency: string }) {
  const refusal = useRefusal('owner');
  const [amount, setAmount] = useState(cap?.amount ?? '');
  const set = useChange(() => must(api.PUT('/console/v1/spend-cap', { body: { amount: amount.trim(), currency } })), {
    done: 'Spend cap saved',
    quiet: true,
  });
  const clear = useChange(() => must(api.DELETE('/console/v1/spend-cap')), { done: 'Spend cap removed' });
  return (
    <Form className="fields" onSubmit={() => set.mutate(undefined)}>
      <Refused error={set.error} fields={['amount']} />
      <TextField
        label={`Cap per month (${currency})`}
        value={amount}
        onChange={setAmount}
        fault={set.error?.faultOf('amount')}
        input={{ inputMode: 'decimal', disabled: refusal !== undefined, required: true }}
      />
      <div className="row wrap">
        <Button type="submit" size="sm" refusal={refusal} isBusy={set.isPending}>
          {cap ? 'Save cap' : 'Set cap'}
        </Button>
        {cap && refusal === undefined && (
          <Button size="sm" isBusy={clear.isPending} onClick={() => clear.mutate(undefined)}>
            Remove cap
          </Button>
        )}
      </div>
    </Form>
  );
}
