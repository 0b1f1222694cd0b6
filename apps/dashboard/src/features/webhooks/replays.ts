import { api, must, type Schemas } from '../../api/client';
import { useRead } from '../../hooks/queries';
import { counted, countText } from '../../lib/formats';

type Replay = Schemas['WebhookReplay'];
export const PROGRESS_MS = 2_000;

/** Polls one replay until it completes. @returns undefined until the first response */
export function useReplay(replayId: string | undefined): Replay | undefined {
  const read = useRead(
    ['webhook-replays', replayId],
    () => must(api.GET('/console/v1/webhook-replays/{replayId}', { params: { path: { replayId: replayId ?? '' } } })),
    { enabled: replayId !== undefined, everyMs: (data) => (data?.replay.finishedAt ? undefined : PROGRESS_MS) },
  );
  return read.data?.replay;
}

export const progressOf = ({ replayed, total }: Replay): string =>
  `${countText(replayed)} of ${counted(total, 'delivery', 'deliveries')} queued again.`;
