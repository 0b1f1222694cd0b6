import type { Socket } from 'node:net';

/** The beginning of a status line; the version's last digit may be any. */
const STATUS_LINE = Buffer.from('HTTP/1.x ');
const STATUS_AT = STATUS_LINE.length;
const [ZERO, ONE, THREE, LINE_FEED, RETURN] = [...'013\n\r'].map((character) => character.charCodeAt(0));

/**
 * Lets an endpoint send `100 Continue` unasked, as some servers do (RFC 9110, 15.2: a client must be able to parse it).
 * undici closes the connection then, but passes over any other interim response: so each 100 becomes a 103. Nothing
 * else of the response changes, nor its length.
 */
export function acceptContinue(socket: Socket): void {
  const response = new StatusLines();
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (Buffer.isBuffer(chunk)) response.look(chunk);
    return chunk;
  };
  socket.write = ((...given: Parameters<Socket['write']>) => {
    response.expect();
    return write(...given);
  }) as Socket['write'];
}

/** Follows the status lines of one connection, up to the final one of each response. */
class StatusLines {
  /** Bytes of the status line that have come; null while no status line is due. */
  private place: number | null = null;
  private isInterim = false;
  private isHundred = false;
  /** Line feeds in a row, which end a head. */
  private lineFeeds = 0;

  /** A request leaves. */
  expect(): void {
    if (this.place === null) this.begin();
  }

  look(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && this.place !== null; at += 1) {
      if (this.isInterim && this.place > STATUS_AT + 2) this.passHead(chunk[at]!);
      else this.readStatus(chunk, at, this.place);
    }
  }

  private begin(): void {
    this.place = 0;
    this.isInterim = false;
    this.lineFeeds = 0;
  }

  private readStatus(chunk: Buffer, at: number, place: number): void {
    const byte = chunk[at];
    this.place = place + 1;
    if (place < STATUS_AT) {
      // Not HTTP: the parser says so.
      if (byte !== STATUS_LINE[place] && place !== STATUS_AT - 2) this.place = null;
    } else if (place === STATUS_AT) {
      this.isInterim = byte === ONE;
      if (!this.isInterim) this.place = null;
    } else if (place === STATUS_AT + 1) this.isHundred = byte === ZERO;
    else if (this.isHundred && byte === ZERO) chunk[at] = THREE!;
  }

  private passHead(byte: number): void {
    if (byte === LINE_FEED) this.lineFeeds += 1;
    else if (byte !== RETURN) this.lineFeeds = 0;
    if (this.lineFeeds === 2) this.begin();
  }
}
