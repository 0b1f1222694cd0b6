import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AppError } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { LOGGER, type Logger, type Loop, startLoop } from '@switchboard/platform';
import type { FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { idsFrom, type NewIdFunction } from './derived-ids';
import { CLAIM, FIND, RELEASE, RENEW, STORE_ANSWER } from './idempotency.queries';
import { StoredAnswer } from './stored-answer';

const MAX_KEY_CHARACTERS = 255;
const RENEW_EVERY_MS = 3_000;
/** No request lasts so long: one that is still not answered has lost its way, and its key is given up. */
const LONGEST_REQUEST_MS = 600_000;
const SEED_BYTES = 32;
/** Between two looks at a key the purge may have removed it. */
const CLAIM_TRIES = 3;
/** Answers that say that nothing was done and nothing will be: a repeat is another attempt, with other ids. */
const NOTHING_WAS_DONE = new Set([429, 502]);

/** The hold of one request on its Idempotency-Key. */
export interface IdempotencyClaim {
  clientId: string;
  route: string;
  key: string;
  newId: NewIdFunction;
  since: number;
}

/** Equal Idempotency-Keys are one request: done once, answered alike (decisions 4). */
@Injectable()
export class IdempotencyService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly owner = randomUUID();
  private readonly running = new Set<IdempotencyClaim>();
  private loop?: Loop;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = startLoop({ name: 'idempotency.renewal', everyMs: RENEW_EVERY_MS, logger: this.logger, turn: () => this.renew() });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  /**
   * Takes the request's Idempotency-Key, when it has one: from then on its answer is stored when it is sent.
   * @param fingerprint what the request asks for; the same key with another one is refused
   * @throws StoredAnswer when it was answered before; AppError IDEMPOTENCY_IN_PROGRESS, IDEMPOTENCY_MISMATCH, INVALID_VALUE, UNAVAILABLE
   */
  async begin(request: FastifyRequest, fingerprint: string | Buffer): Promise<void> {
    const key = keyOf(request);
    if (key === undefined || !request.client) return;
    const { clientId } = request.client;
    const route = `${request.method} ${request.routeOptions.url ?? ''}`;
    // The address counts, too: one route serves many resources.
    const asked = createHash('sha256').update(request.url).update('\n').update(fingerprint).digest();
    const newId = await withinDatabaseDeadline(this.claim([clientId, route, key], asked));
    const claim = { clientId, route, key, newId, since: performance.now() };
    this.running.add(claim);
    request.idempotencyClaim = claim;
  }

  /**
   * Keeps the answer, or lets the key go when the answer is not one to keep (5xx, 429).
   * When the database is away the caller gets its answer all the same: a repeat does it again with the same ids.
   */
  async end(claim: IdempotencyClaim, status: number, body: unknown): Promise<void> {
    this.running.delete(claim);
    const id = [claim.clientId, claim.route, claim.key, this.owner];
    const isKept = typeof body === 'string' && status < 500 && status !== 429;
    const freshSeed = NOTHING_WAS_DONE.has(status) ? randomBytes(SEED_BYTES) : null;
    try {
      await withinDatabaseDeadline(isKept ? query(this.dataSource, STORE_ANSWER, [...id, status, body]) : query(this.dataSource, RELEASE, [...id, freshSeed]));
    } catch (error) {
      this.logger.warn({ err: error, clientId: claim.clientId, status }, 'idempotency.not-stored');
    }
  }

  private async claim(id: [clientId: string, route: string, key: string], fingerprint: Buffer): Promise<NewIdFunction> {
    for (let left = CLAIM_TRIES; left > 0; left -= 1) {
      const [claimed] = await query<{ seed: Buffer; seededAt: Date }>(this.dataSource, CLAIM, [...id, fingerprint, randomBytes(SEED_BYTES), this.owner]);
      if (claimed) return idsFrom(claimed.seed, claimed.seededAt);
      const [earlier] = await query<{ isSame: boolean; status: number | null; body: string | null }>(this.dataSource, FIND, [...id, fingerprint]);
      if (!earlier) continue;
      if (!earlier.isSame) throw new AppError('IDEMPOTENCY_MISMATCH');
      if (earlier.status !== null) throw new StoredAnswer(earlier.status, earlier.body ?? '');
      break;
    }
    throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
  }

  private async renew(): Promise<void> {
    for (const claim of this.running) if (performance.now() - claim.since > LONGEST_REQUEST_MS) this.running.delete(claim);
    if (this.running.size === 0) return;
    const claims = [...this.running];
    const keys = [claims.map(({ clientId }) => clientId), claims.map(({ route }) => route), claims.map(({ key }) => key)];
    await withinDatabaseDeadline(query(this.dataSource, RENEW, [this.owner, ...keys]));
  }
}

/** @throws AppError INVALID_VALUE */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key !== '' && key.length <= MAX_KEY_CHARACTERS) return key;
  throw new AppError('INVALID_VALUE', { message: `invalid value: the Idempotency-Key must have 1 to ${MAX_KEY_CHARACTERS} characters` });
}
