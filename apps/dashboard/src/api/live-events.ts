/** Kinds of data that hints name, as in the description of `GET /console/v1/events`. */
export type HintKind =
  | 'message'
  | 'status'
  | 'job'
  | 'template'
  | 'number'
  | 'webhook'
  | 'notice'
  | 'conversation'
  | 'label';

export interface Change {
  kind: HintKind;
  /** IDs of the changed objects; absent if there are many. */
  ids?: string[];
}

export interface LiveListener {
  /** Called with the changes of each hint. */
  onChanges(changes: Change[]): void;
  /** Called when changes may have been missed, and when the stream is lost. */
  onMissed(): void;
}

const PATH = '/console/v1/events';
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 60_000;
/** Heartbeat intervals without any event after which a stream counts as lost. */
const LOST_AFTER_HEARTBEATS = 2.5;

/** Activity of a colleague in a conversation. */
export interface Presence {
  contactId: string;
  userId: string;
  state: 'viewing' | 'writing' | 'left';
}
const presenceWatchers = new Set<(presence: Presence) => void>();

/** Calls the handler when a colleague views a conversation or writes; returns the unsubscribe function. */
export function watchPresence(handler: (presence: Presence) => void): () => void {
  presenceWatchers.add(handler);
  return () => presenceWatchers.delete(handler);
}

let upSince: number | undefined;
const watchers = new Set<() => void>();

function setUpSince(since: number | undefined): void {
  upSince = since;
  for (const watch of watchers) watch();
}

/** Returns the opening time of the stream, or undefined while the page must poll. */
export const liveSince = (): number | undefined => upSince;

/** Calls the handler when the stream opens or is lost. @returns function that unsubscribes the handler */
export function watchLive(handler: () => void): () => void {
  watchers.add(handler);
  return () => watchers.delete(handler);
}

/**
 * Keeps an event stream open. The browser itself reconnects after a lost connection. This function also reopens streams
 * that the server rejected, and streams without heartbeats.
 * @returns function that closes the stream
 */
export function listenToEvents({ onChanges, onMissed }: LiveListener): () => void {
  let source: EventSource | undefined;
  let lastEventId = '';
  let retryMs = FIRST_RETRY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silenceMs = Infinity;

  const lose = (): void => {
    if (upSince === undefined) return;
    setUpSince(undefined);
    onMissed();
  };
  const open = (): void => {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(lastEventId === '' ? PATH : `${PATH}?lastEventId=${encodeURIComponent(lastEventId)}`);
    source.addEventListener('error', onError);
    source.addEventListener('ready', (event) => {
      const { heartbeatSeconds } = JSON.parse(event.data as string) as { heartbeatSeconds: number };
      silenceMs = heartbeatSeconds * 1_000 * LOST_AFTER_HEARTBEATS;
      retryMs = FIRST_RETRY_MS;
      setUpSince(Date.now());
      hear(event);
    });
    source.addEventListener('hint', (event) => {
      hear(event);
      onChanges((JSON.parse(event.data as string) as { changes: Change[] }).changes);
    });
    source.addEventListener('resync', (event) => {
      hear(event);
      onMissed();
    });
    source.addEventListener('presence', (event) => {
      hear(event);
      for (const watch of presenceWatchers) watch(JSON.parse(event.data as string) as Presence);
    });
    source.addEventListener('heartbeat', hear);
  };
  const hear = (event: MessageEvent): void => {
    lastEventId = event.lastEventId;
    clearTimeout(timer);
    if (silenceMs < Infinity)
      timer = setTimeout(() => {
        lose();
        open();
      }, silenceMs);
  };
  const onError = (): void => {
    clearTimeout(timer);
    lose();
    if (source?.readyState !== EventSource.CLOSED) return;
    // Vary the delay, so that the tabs of many users do not reconnect at the same time.
    timer = setTimeout(open, retryMs * (0.75 + Math.random() / 2));
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  };
  const returnToPage = (): void => {
    if (document.visibilityState === 'visible' && source?.readyState === EventSource.CLOSED) open();
  };
  document.addEventListener('visibilitychange', returnToPage);
  addEventListener('online', returnToPage);
  open();
  return () => {
    document.removeEventListener('visibilitychange', returnToPage);
    removeEventListener('online', returnToPage);
    clearTimeout(timer);
    source?.close();
    setUpSince(undefined);
  };
}
