import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { Button, Select } from '../../components/controls';
import { DATE_TIME_FAULT, DateTimeField } from '../../components/date-fields';
import { useChange, useRead } from '../../hooks/queries';
import { Failure, Note, Refused } from '../../components/display';
import { oneOf, SPANS, sinceOf } from '../../lib/filters';
import { countText, fieldText, timeOfField } from '../../lib/formats';
import { Dialog } from '../../components/overlays';
import { useReplay, progressOf } from './replays';
import { type Kind, KINDS, shortUrl } from './webhook-labels';

const HOUR_MS = 3_600_000;
const CHOICES = [...SPANS, ['between', 'Custom range']] as const;
type Span = (typeof CHOICES)[number][0];

interface Props {
  /** Initial filters, from the log. */
  filters: { within?: string | undefined; kind?: string | undefined; endpointId?: string | undefined };
  endpoints: Schemas['WebhookEndpoint'][];
  onClose(): void;
}

/** Returns the time of a field. An unchanged field keeps its time, since a local time may occur twice. */
const timeOfEdited = (text: string, given: number): string | undefined =>
  text === fieldText(given) ? new Date(given).toISOString() : timeOfField(text);

/** Replays dropped events: counts them, replays exactly those, and shows the progress. */
export function ReplayDropped({ filters, endpoints, onClose }: Props) {
  const [span, setSpan] = useState<Span>(oneOf(filters.within, SPANS) ?? '24h');
  const [openedAt] = useState(() => Date.now());
  const [from, setFrom] = useState(() => fieldText(openedAt - 24 * HOUR_MS));
  const [to, setTo] = useState(() => fieldText(openedAt));
  const [kind, setKind] = useState(filters.kind ?? '');
  const [endpointId, setEndpoint] = useState(filters.endpointId ?? '');
  const [since, until] = [timeOfEdited(from, openedAt - 24 * HOUR_MS), timeOfEdited(to, openedAt)];
  const orderFault = since && until && since >= until ? 'Enter a start time before the end time' : undefined;
  const fault = span !== 'between' ? undefined : since && until ? orderFault : DATE_TIME_FAULT;
  const times =
    span === 'between'
      ? { since: since ?? '', until: until ?? '' }
      : {
          since: sinceOf(span, openedAt) ?? '',
          // Limit the replay to the counted events; later ones are excluded.
          until: new Date(openedAt).toISOString(),
        };
  const wanted = { ...times, ...(kind && { kind: kind as Kind }), ...(endpointId && { endpointId }) };
  const counted = useRead(
    ['webhook-replays', 'count', wanted],
    () => must(api.GET('/console/v1/webhook-replays/count', { params: { query: wanted } })),
    { enabled: fault === undefined },
  );
  const start = useChange(
    (deliveries: number | undefined) =>
      must(
        api.POST('/console/v1/webhook-replays', {
          body: { ...wanted, ...(deliveries !== undefined && { deliveries }) },
        }),
      ),
    { quiet: true },
  );
  const replay = useReplay(start.data?.replay.id) ?? start.data?.replay;
  const count = counted.isFetching || counted.isError ? undefined : counted.data;
  const refusal = (): string | undefined => {
    if (fault) return fault;
    if (counted.isError) return 'Wait for the dropped events to be counted';
    return count?.deliveries === 0 ? 'No events were dropped in this period' : undefined;
  };
  return (
    <Dialog
      title="Replay dropped events"
      about="Each event is sent again with the same ID, so that your server can detect duplicates."
      onClose={onClose}
      onSubmit={() => count && start.mutate(count.isExact ? count.deliveries : undefined)}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>{replay ? 'Close' : 'Cancel'}</Button>
          {!replay && (
            <Button
              type="submit"
              look="primary"
              isBusy={start.isPending || (!fault && !count && !counted.isError)}
              refusal={refusal()}
            >
              {count
                ? `Replay ${countText(count.deliveries)}${count.isExact ? '' : ' or more'} dropped`
                : 'Replay dropped'}
            </Button>
          )}
        </>
      }
    >
      {replay ? (
        <Note tone={replay.finishedAt === null ? 'info' : 'success'}>
          <p>{progressOf(replay)}</p>
          <p>
            {replay.finishedAt === null
              ? 'You can close this dialog. The replay continues in the background. '
              : 'The replay is complete. '}
            <Link className="link" to="/integrations/webhook-log/replays" onClick={onClose}>
              All replays
            </Link>
          </p>
        </Note>
      ) : (
        <>
          <Refused error={start.error} fields={[]} />
          {counted.error && <Failure error={counted.error} onRetry={() => void counted.refetch()} />}
          <Select label="Event time" value={span} onChange={setSpan} options={CHOICES} />
          {span === 'between' && (
            <div className="two">
              <DateTimeField label="From" value={from} onChange={setFrom} fault={orderFault} />
              <DateTimeField label="To" value={to} onChange={setTo} />
            </div>
          )}
          <div className="two">
            <Select label="Event type" value={kind} onChange={setKind} options={[['', 'All event types'], ...KINDS]} />
            <Select
              label="Endpoint"
              value={endpointId}
              onChange={setEndpoint}
              options={[['', 'All endpoints'], ...endpoints.map(({ id, url }) => [id, shortUrl(url)] as const)]}
            />
          </div>
        </>
      )}
    </Dialog>
  );
}
