import { Transform, type TransformCallback } from 'node:stream';
import { AppError } from '@switchboard/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Holding, SharedBudget } from './shared-budget';

/**
 * Size of the blocks into which small chunks are copied. A chunk held separately costs much more memory than its bytes.
 */
const BLOCK_BYTES = 16_384;

/**
 * Limits the memory of unauthenticated request bodies while they arrive. The sender of an evicted body receives 503.
 * Other bodies are read only after the key has been checked.
 * @param options.ownerOf returns the owner whose budget a body counts against
 */
export function limitAnonymousBodies(
  fastify: FastifyInstance,
  { budget, ownerOf }: { budget: SharedBudget; ownerOf(request: FastifyRequest): string },
): void {
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.routeOptions.config.publicBecause === undefined || request.raw.complete) return done(null);
    const body = new HeldBody(budget, ownerOf(request));
    // The reader stops listening after it has rejected the body, and an unhandled error would end the process.
    body.on('error', () => undefined);
    // An aborted source does not end the stream that it is piped to.
    request.raw.once('close', () => body.destroy());
    payload.once('error', (error) => body.destroy(error));
    return done(null, payload.pipe(body));
  });
}

class HeldBody extends Transform implements Holding {
  private block = Buffer.alloc(0);
  private filled = 0;

  constructor(
    private readonly budget: SharedBudget,
    readonly owner: string,
  ) {
    super();
  }

  giveUp(): void {
    this.destroy(
      new AppError('UNAVAILABLE', {
        retryAfterSeconds: 1,
        cause: new Error('bodies of callers without a key hold too much memory'),
      }),
    );
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.budget.hold(this, chunk.length);
    for (let rest = chunk; rest.length > 0; ) rest = rest.subarray(this.fill(rest));
    done();
  }

  override _flush(done: TransformCallback): void {
    this.pushBlock();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.budget.release(this);
    done(error);
  }

  /** @returns the number of bytes that fit */
  private fill(bytes: Buffer): number {
    if (this.block.length === 0) this.block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    const taken = bytes.copy(this.block, this.filled);
    this.filled += taken;
    if (this.filled === this.block.length) this.pushBlock();
    return taken;
  }

  private pushBlock(): void {
    if (this.filled > 0) this.push(this.block.subarray(0, this.filled));
    this.block = Buffer.alloc(0);
    this.filled = 0;
  }
}
