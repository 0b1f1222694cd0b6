import { api, must, type Schemas } from '../../api/client';
import { useRead } from '../../hooks/queries';
import { Time } from '../../components/display';
import { countText, decimalText, percentText } from '../../lib/formats';

const EVERY_MS = 30_000;

/** Reads the delivery statistics of each endpoint for the last 24 hours. */
export function useFigures() {
  const read = useRead(['webhook-endpoints', 'figures'], () => must(api.GET('/console/v1/webhook-endpoints/figures')), {
    everyMs: () => EVERY_MS,
  });
  return (endpointId: string) => read.data?.figures.find((one) => one.endpointId === endpointId);
}

function durationOf(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${decimalText(ms / 1_000)} s`;
}

export function Figures({ of }: { of: Schemas['WebhookEndpointFigures'] }) {
  const { delivered, dropped, pending, areAll, lastSuccessAt, p95DurationMs } = of;
  const ended = delivered + dropped;
  return (
    <dl className="figures compact" aria-label={areAll ? 'Last 24 hours' : `Last ${ended} deliveries`}>
      <div className="figure">
        <dt>Delivered</dt>
        <dd className="value">{ended === 0 ? '–' : percentText(delivered / ended)}</dd>
        <dd className="note">
          {countText(delivered)} of {countText(ended)}
          {areAll ? ' in 24 hours' : ' most recent'}
        </dd>
      </div>
      <div className="figure">
        <dt>Dropped</dt>
        <dd className="value">{countText(dropped)}</dd>
        <dd className="note">{countText(pending)} pending</dd>
      </div>
      <div className="figure">
        <dt>Last success</dt>
        <dd className="value">
          <Time at={lastSuccessAt} empty="–" />
        </dd>
        <dd className="note">{lastSuccessAt === null ? 'None in 24 hours' : 'accepted by the endpoint'}</dd>
      </div>
      <div className="figure">
        <dt>Duration</dt>
        <dd className="value">{p95DurationMs === null ? '–' : durationOf(p95DurationMs)}</dd>
        <dd className="note">95th percentile</dd>
      </div>
    </dl>
  );
}
