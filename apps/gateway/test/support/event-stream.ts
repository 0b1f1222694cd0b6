import type { Browser } from './console';

export interface ReceivedEvent {
  id: string | undefined;
  event: string;
  data: Record<string, unknown>;
}

/** Event stream of a signed-in browser, with the events received so far. */
export class EventStreamClient {
  readonly events: ReceivedEvent[] = [];
  /** All received text. */
  text = '';
  isOver = false;
  private readonly closing = new AbortController();

  private constructor(readonly headers: Headers) {}

  /** @throws Error with status and body if the gateway rejects the stream */
  static async open(
    url: string,
    { cookie }: Pick<Browser, 'cookie'>,
    { lastEventId }: { lastEventId?: string } = {},
  ): Promise<EventStreamClient> {
    const closing = new AbortController();
    const response = await fetch(`${url}/console/v1/events`, {
      headers: { cookie, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
      signal: closing.signal,
    });
    if (response.status !== 200 || !response.body)
      throw Object.assign(new Error(`rejected with ${response.status}`), {
        status: response.status,
        body: (await response.json()) as Record<string, unknown>,
      });
    const stream = new EventStreamClient(response.headers);
    closing.signal.addEventListener('abort', () => (stream.isOver = true));
    stream.closing.signal.addEventListener('abort', () => closing.abort());
    void stream.read(response.body).catch(() => (stream.isOver = true));
    return stream;
  }

  of(event: string): ReceivedEvent[] {
    return this.events.filter((received) => received.event === event);
  }

  /** Distinct kinds in the received hints. */
  get kinds(): string[] {
    const hints = this.of('hint').flatMap(({ data }) => data.changes as { kind: string }[]);
    return [...new Set(hints.map(({ kind }) => kind))];
  }

  /** IDs in the received hints. */
  get ids(): string[] {
    return this.of('hint').flatMap(({ data }) =>
      (data.changes as { ids?: string[] }[]).flatMap(({ ids }) => ids ?? []),
    );
  }

  get lastEventId(): string {
    return this.events.findLast(({ id }) => id !== undefined)?.id ?? '';
  }

  close(): void {
    this.closing.abort();
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of body) {
      const text = decoder.decode(chunk, { stream: true });
      this.text += text;
      const parts = (rest + text).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) this.events.push(eventOf(part));
    }
    this.isOver = true;
  }
}

function eventOf(part: string): ReceivedEvent {
  const fields = new Map(
    part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  return {
    id: fields.get('id'),
    event: fields.get('event') ?? '',
    data: JSON.parse(fields.get('data') ?? '{}') as Record<string, unknown>,
  };
}
