import { Link } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { api, must } from '../../api/client';
import { useList } from '../../hooks/queries';
import { Failure, PageHead, Status, Time } from '../../components/display';
import { countOf, List } from '../../components/list';
import { countText } from '../../lib/formats';
import { useEndpoints } from './webhook-endpoints';
import { PROGRESS_MS } from './replays';
import { shortUrl, textOf } from './webhook-labels';

export function Page() {
  const endpoints = useEndpoints();
  const replays = useList(
    ['webhook-replays', 'list'],
    (cursor) => must(api.GET('/console/v1/webhook-replays', { params: { query: { cursor } } })),
    (page) => page.replays,
    { everyMs: (rows) => (rows.some(({ finishedAt }) => finishedAt === null) ? PROGRESS_MS : undefined) },
  );
  const nameOf = (id: string): string => {
    const endpoint = endpoints.data?.endpoints.find((one) => one.id === id);
    if (endpoint) return shortUrl(endpoint.url);
    return endpoints.data ? 'Deleted endpoint' : id;
  };
  return (
    <div className="page narrow">
      <PageHead title="Replays" count={countOf(replays)}>
        <Link className="btn sm" to="/integrations/webhook-log">
          Webhook log
        </Link>
      </PageHead>
      {endpoints.error && <Failure error={endpoints.error} onRetry={() => void endpoints.refetch()} />}
      <List
        label="Replays"
        list={replays}
        keyOf={({ id }) => id}
        empty={{
          icon: RotateCcw,
          title: 'No replays',
          text: 'A replay sends dropped events again. Start one in the webhook log.',
          action: (
            <Link className="btn" to="/integrations/webhook-log" search={{ state: 'dropped' }}>
              Dropped events
            </Link>
          ),
        }}
        columns={[
          { head: 'Started', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            head: 'Events',
            cell: ({ kind }) => (kind ? textOf(kind) : 'All event types'),
          },
          {
            head: 'Endpoint',
            hide: 'sm',
            cell: ({ endpointId }) => (
              <span className="dim">{endpointId === null ? 'All endpoints' : nameOf(endpointId)}</span>
            ),
          },
          {
            head: 'Queued again',
            cell: ({ replayed, total }) => (
              <span className="row">
                <progress
                  className="progress hide-sm"
                  value={replayed}
                  max={Math.max(total, 1)}
                  aria-label="Progress"
                />
                <span className="tn">
                  {countText(replayed)} of {countText(total)}
                </span>
              </span>
            ),
          },
          {
            head: 'Status',
            cell: ({ finishedAt }) =>
              finishedAt === null ? <Status tone="info">Running</Status> : <Status tone="success">Complete</Status>,
          },
        ]}
      />
    </div>
  );
}
