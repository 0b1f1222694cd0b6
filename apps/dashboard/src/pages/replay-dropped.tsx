import { useState } from 'react';
import { api, must } from '../api/client';
import { useChange, useRead } from '../kit/data';
import { Button, Select } from '../kit/controls';
import { Failure, Note } from '../kit/display';
import { Dialog } from '../kit/overlays';

const HOUR_MS = 3_600_000;
/** How often its progress is asked for. */
const PROGRESS_MS = 2_000;
const SPANS = [
  ['1', 'The last hour'],
  ['24', 'The last 24 hours'],
  ['168', 'The last 7 days'],
] as const;

/** Sends again what was dropped, with its progress. */
export function ReplayDropped({ onClose }: { onClose(): void }) {
  const [hours, setHours] = useState<string>('24');
  const [openedAt] = useState(() => Date.now());
  // What is counted is what is replayed: later events are none of it.
  const span = {
    since: new Date(openedAt - Number(hours) * HOUR_MS).toISOString(),
    until: new Date(openedAt).toISOString(),
  };
  const counted = useRead(['webhook-replays', 'count', hours], () =>
    must(api.GET('/console/v1/webhook-replays/count', { params: { query: span } })),
  );
  const start = useChange(() => must(api.POST('/console/v1/webhook-replays', { body: span })));
  const replayId = start.data?.replay.id ?? '';
  const read = useRead(
    ['webhook-replays', replayId],
    () => must(api.GET('/console/v1/webhook-replays/{replayId}', { params: { path: { replayId } } })),
    { enabled: replayId !== '', everyMs: (data) => (data?.replay.finishedAt ? undefined : PROGRESS_MS) },
  );
  const replay = read.data?.replay ?? start.data?.replay;
  const { deliveries, isExact } = counted.data ?? { deliveries: 0, isExact: true };
  const count = `${deliveries.toLocaleString()}${isExact ? '' : ' or more'}`;
  return (
    <Dialog
      title="Replay dropped events"
      about="Each event is sent again with the same id, so your server can tell what it has seen already."
      onClose={onClose}
      onSubmit={() => start.mutate(undefined)}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Close</Button>
          {!replay && (
            <Button
              type="submit"
              look="primary"
              isBusy={start.isPending || counted.isPending}
              refusal={counted.data && deliveries === 0 ? 'Nothing was dropped in this time' : undefined}
            >
              {`Replay ${count} dropped`}
            </Button>
          )}
        </>
      }
    >
      {replay ? (
        <Note tone={replay.finishedAt === null ? 'info' : 'success'}>
          {replay.replayed} of {replay.total} are on their way again.
          {replay.finishedAt !== null && <p>The replay is complete.</p>}
        </Note>
      ) : (
        <>
          {counted.error && <Failure error={counted.error} onRetry={() => void counted.refetch()} />}
          <Select label="Dropped in" value={hours} onChange={setHours} options={SPANS} />
        </>
      )}
    </Dialog>
  );
}
