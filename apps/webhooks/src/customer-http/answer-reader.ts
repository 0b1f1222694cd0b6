import type { Dispatcher } from 'undici';

/** So much of an answer is read at most; then the connection is closed. */
export const ANSWER_LIMIT_BYTES = 16 * 1024;

/** Takes one answer as undici receives it, up to the limit; what has come is kept when the rest never does. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  statusCode: number | null = null;
  location: string | null = null;
  /** Resolves with the answer's end, or when enough of it was read; rejects with what went wrong, or why it was cut. */
  readonly ended: Promise<void>;
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private controller?: Dispatcher.DispatchController;
  private cutBy?: Error;
  private resolve!: () => void;
  private reject!: (error: Error) => void;

  constructor() {
    this.ended = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // It may be rejected before anybody waits for it.
    this.ended.catch(() => undefined);
  }

  /** At most ANSWER_LIMIT_BYTES of the answer's body. */
  get body(): Buffer {
    return Buffer.concat(this.chunks).subarray(0, ANSWER_LIMIT_BYTES);
  }

  /** Ends it at once, whatever it waits for; a connection that is still being made is never used. */
  cut(reason: Error): void {
    this.cutBy ??= reason;
    this.reject(this.cutBy);
    this.controller?.abort(this.cutBy);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.cutBy) controller.abort(this.cutBy);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // What comes before the answer, such as early hints.
    if (statusCode < 200) return;
    this.statusCode = statusCode;
    this.location = [headers['location']].flat()[0] ?? null;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.size >= ANSWER_LIMIT_BYTES) return;
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.size < ANSWER_LIMIT_BYTES) return;
    this.resolve();
    controller.abort(new Error('enough of the answer was read'));
  }

  onResponseEnd(): void {
    this.resolve();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.reject(error);
  }
}
