import type { Socket } from 'node:net';

/** Start of a status line. The last digit of the version may vary. */
const STATUS_LINE = Buffer.from('HTTP/1.x ');
const STATUS_AT = STATUS_LINE.length;
const [ZERO, ONE, THREE, LINE_FEED, RETURN] = [...'013\n\r'].map((character) => character.charCodeAt(0));

/**
 * Allows an endpoint to send an unsolicited `100 Continue`, as some servers do. RFC 9110, 15.2 requires clients to
 * parse it, but undici closes the connection. undici ignores every other interim response, so this function rewrites
 * each status 100 to 103. The rest of the response and its length stay the same.
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

/** Tracks the status lines of one connection, up to the final one of each response. */
class StatusLines {
  /** Number of bytes of the status line received so far. Null while no status line is expected. */
  private place: number | null = null;
  private isInterim = false;
  private isHundred = false;
  /** Number of consecutive line feeds. Two of them end a head. */
  private lineFeeds = 0;

  /** Expects a response to the request that is now being sent. */
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
      // Not HTTP. undici's parser reports the error.
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
