import { Transform, type TransformCallback } from 'node:stream';
import { AppError } from '@switchboard/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The body of any bulk call (decisions 4). */
const LEAST_LIMIT_BYTES = 6_291_456;
/** What a body may hold besides its recipients. */
const BASE_BYTES = 1_048_576;
/** A recipient with variables of some length. */
const BYTES_PER_RECIPIENT = 512;
/** The largest body that any plan allows. */
export const BULK_BODY_MAX_BYTES = 67_108_864;

/**
 * A bulk call's body may have 6 MB, whatever the plan (decisions 4). A plan that allows more recipients than fit into 6 MB would promise
 * what no call can use: there the body may be as large as its recipients need, and no larger. The gateway holds such a body only for a
 * caller who has shown a key of such a plan, and no longer than until its rows are handed over.
 */
export function limitBulkBodies(fastify: FastifyInstance): void {
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    if (!request.routeOptions.config.takesRecipients) return done(null);
    const limit = limitOf(request);
    const { 'content-length': length } = request.headers;
    if (length !== undefined) return done(Number(length) > limit ? tooLarge(limit) : null);
    return done(null, payload.pipe(new CountingStream(limit)));
  });
}

function limitOf({ client }: FastifyRequest): number {
  const neededBytes = BASE_BYTES + (client?.plan.bulkRecipients ?? 0) * BYTES_PER_RECIPIENT;
  return Math.min(Math.max(LEAST_LIMIT_BYTES, neededBytes), BULK_BODY_MAX_BYTES);
}

function tooLarge(limit: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', { message: `the body is too large: at most ${limit} bytes` });
}

/** For a body that does not say how long it is. */
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
