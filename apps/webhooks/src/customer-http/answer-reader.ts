import type { Dispatcher } from 'undici';

/** Maximum number of response bytes to read. The connection is then closed. */
export const ANSWER_LIMIT_BYTES = 16 * 1024;

/** Collects one response from undici, up to the limit. If the response is cut off, keeps the bytes received so far. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  statusCode: number | null = null;
  location: string | null = null;
  /**
   * Resolves when the response ends or the limit is reached. Rejects with the error, or with the reason for the abort.
   */
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
    // Handle early rejections: the promise may reject before a caller awaits it.
    this.ended.catch(() => undefined);
  }

  /** The first ANSWER_LIMIT_BYTES of the response body. */
  get body(): Buffer {
    return Buffer.concat(this.chunks).subarray(0, ANSWER_LIMIT_BYTES);
  }

  /** Aborts the exchange immediately, whatever its state. If the connection is still being opened, it is never used. */
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
    // An interim response, such as early hints.
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
    controller.abort(new Error('the maximum number of response bytes was read'));
  }

  onResponseEnd(): void {
    this.resolve();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.reject(error);
  }
}
