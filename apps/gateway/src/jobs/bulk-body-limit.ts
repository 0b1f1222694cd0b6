import { Transform, type TransformCallback } from 'node:stream';
import { AppError } from '@switchboard/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sizeText } from '../http/size-text';

/** Minimum body limit of bulk calls, in bytes (spec §12.1.1). */
const LEAST_LIMIT_BYTES = 6_291_456;
/** Allowance for everything except the recipients, in bytes. */
const BASE_BYTES = 1_048_576;
/** Allowance for a recipient with variables, in bytes. */
const BYTES_PER_RECIPIENT = 512;
/** Maximum body limit on any plan, in bytes. */
export const BULK_BODY_MAX_BYTES = 67_108_864;
/**
 * Memory limit in bytes for all bulk bodies in progress (guarantee 32 of ADR 41), and for those of one account, which
 * must fit its largest body.
 */
const HELD_MAX_BYTES = 100_663_296;
const HELD_MAX_BYTES_PER_ACCOUNT = BULK_BODY_MAX_BYTES;

/**
 * Sets the body limit of bulk calls, including those of the console: 6 MB (spec §12.1.1), or more if the plan allows
 * more recipients than fit into 6 MB. A call that would exceed the memory limit is rejected with 429 before its body is
 * read.
 */
export function limitBulkBodies(fastify: FastifyInstance): void {
  const held = new HeldBodies();
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    if (!request.routeOptions.config.takesRecipients) return done(null);
    const limit = limitOf(request);
    const { 'content-length': length } = request.headers;
    if (length !== undefined && Number(length) > limit) return done(tooLarge(limit));
    const release = held.take(
      (request.client ?? request.consoleUser)?.account.id ?? '',
      length === undefined ? limit : Number(length),
    );
    if (!release)
      return done(
        new AppError('RATE_LIMITED', {
          message: 'rate limit exceeded: too many large bodies at once',
          retryAfterSeconds: 1,
        }),
      );
    // Releases after a disconnect, when no further event may follow.
    reply.raw.once('close', release);
    if (reply.raw.closed) release();
    return length === undefined ? done(null, payload.pipe(new CountingStream(limit))) : done(null);
  });
}

function limitOf({ client }: FastifyRequest): number {
  const neededBytes = BASE_BYTES + (client?.plan.bulkRecipients ?? 0) * BYTES_PER_RECIPIENT;
  return Math.min(Math.max(LEAST_LIMIT_BYTES, neededBytes), BULK_BODY_MAX_BYTES);
}

function tooLarge(limit: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', { message: `the body is too large: at most ${sizeText(limit)}` });
}

/** Counts the bytes of bulk bodies in progress from first byte to response, each by its declared or maximum length. */
class HeldBodies {
  private readonly ofAccounts = new Map<string, number>();
  private total = 0;

  /** @returns a function that releases the bytes once; undefined if they do not fit */
  take(accountId: string, bytes: number): (() => void) | undefined {
    const ofAccount = this.ofAccounts.get(accountId) ?? 0;
    if (this.total + bytes > HELD_MAX_BYTES || ofAccount + bytes > HELD_MAX_BYTES_PER_ACCOUNT) return undefined;
    this.add(accountId, bytes);
    let isHeld = true;
    return () => {
      if (isHeld) this.add(accountId, -bytes);
      isHeld = false;
    };
  }

  private add(accountId: string, bytes: number): void {
    this.total += bytes;
    const ofAccount = (this.ofAccounts.get(accountId) ?? 0) + bytes;
    if (ofAccount > 0) this.ofAccounts.set(accountId, ofAccount);
    else this.ofAccounts.delete(accountId);
  }
}

/** Counts the bytes of a body without a declared length. */
class CountingStream extends Transform {
  private bytes = 0;

  constructor(private readonly limit: number) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.bytes > this.limit) done(tooLarge(this.limit));
    else done(null, chunk);
  }
}
