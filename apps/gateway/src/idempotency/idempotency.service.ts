import { randomBytes, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, type ErrorCode, ERRORS } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { CONFIG, Every, type Logger, LOGGER } from '@switchboard/platform';
import type { FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import type { GatewayConfig } from '../config';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { idsFrom, type NewIdFunction } from './derived-ids';
import { type Fingerprint, Fingerprints } from './fingerprints';
import {
  CLAIM,
  FIND,
  FIND_UNKEYED,
  FORGET,
  HELD_KEYS,
  KEY_FINGERPRINTS,
  KEYED_FINGERPRINTS,
  RELEASE,
  RENEW,
  STORE_ANSWER,
} from './idempotency.queries';
import { StoredResponse } from '../http/stored-response';

const MAX_KEY_CHARACTERS = 255;
const RENEW_EVERY_MS = 3_000;
/** Maximum duration of a request in milliseconds, after which its key is released. */
const LONGEST_REQUEST_MS = 600_000;
const SEED_BYTES = 32;
/**
 * Maximum claim attempts. Between a failed claim and the lookup of its reason, the key may be deleted by its request or
 * the purge.
 */
const CLAIM_TRIES = 3;
/**
 * Interval in milliseconds for keying the fingerprints that a gateway of the previous version writes during a rolling
 * update.
 */
const KEY_FINGERPRINTS_EVERY_MS = 60_000;
const FINGERPRINTS_AT_A_TIME = 1_000;
/**
 * Errors of a permanently failed message, which every repeat with its id would return. A repeat is therefore a new
 * attempt with new ids. After other errors, an earlier request may have used the ids.
 */
const HAS_FAILED: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['UPSTREAM_THROTTLED', 'UPSTREAM_ERROR']);
/** Errors of requests that had an effect; for example, a failed verification counts as an attempt. */
const CARRIED_OUT: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['OTP_INVALID']);

/** Claim of one request on its Idempotency-Key. */
export interface IdempotencyClaim {
  clientId: string;
  route: string;
  key: string;
  newId: NewIdFunction;
  /** True if no earlier request created ids from this seed, so that only this request can have had an effect. */
  isFirst: boolean;
  since: number;
}

type HeldKey = Pick<IdempotencyClaim, 'clientId' | 'route' | 'key'>;
type TakenKey = Pick<IdempotencyClaim, 'newId' | 'isFirst'>;

interface Answer {
  status: number;
  /** Error code of a failed request. */
  code?: ErrorCode;
  body: unknown;
}

/** Executes requests with the same Idempotency-Key once and repeats the response (spec §4.1.2). */
@Injectable()
export class IdempotencyService {
  private readonly owner = randomUUID();
  private readonly running = new Set<IdempotencyClaim>();
  private readonly fingerprints: Fingerprints;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) config: Pick<GatewayConfig, 'ENCRYPTION_KEY' | 'ENCRYPTION_KEY_PREVIOUS'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.fingerprints = new Fingerprints(config);
  }

  /**
   * Claims the request's Idempotency-Key, if any. The response is then stored when it is sent.
   * @param content content of the request; the same key with other content is rejected
   * @param former representation of the content in the previous version, if it differed
   * @throws StoredResponse if the request has already completed; AppError IDEMPOTENCY_IN_PROGRESS,
   * IDEMPOTENCY_MISMATCH, INVALID_VALUE, UNAVAILABLE
   */
  async begin(request: FastifyRequest, content: string, former?: Buffer): Promise<void> {
    const key = keyOf(request);
    const clientId = repeaterOf(request);
    if (key === undefined || clientId === undefined) return;
    const route = `${request.method} ${request.routeOptions.url ?? ''}`;
    const taking = this.claim({ clientId, route, key }, this.fingerprints.of(request.url, content, former));
    const taken = await withinDatabaseDeadline(taking).catch((error: unknown) => {
      void this.releaseLate({ clientId, route, key }, taking);
      throw error;
    });
    const claim = { clientId, route, key, ...taken, since: performance.now() };
    this.running.add(claim);
    request.idempotencyClaim = claim;
  }

  /**
   * Stores the response of an executed request. After any other response, releases the key, so that a repeat is
   * executed again. If the first request under a key is rejected, nothing was done, and any request may use the key. If
   * an earlier request ended without a response, a rejection does not prove that it did nothing. A repeat then gets the
   * same ids, by which services recognise earlier work. If the database is down, the caller still gets the response,
   * and a repeat uses the same ids.
   */
  async end(claim: IdempotencyClaim, answer: Answer): Promise<void> {
    this.running.delete(claim);
    try {
      await withinDatabaseDeadline(this.keepOrLetGo(claim, answer));
    } catch (error) {
      this.logger.warn({ err: error, clientId: claim.clientId, status: answer.status }, 'idempotency.store-failed');
    }
  }

  private keepOrLetGo(claim: IdempotencyClaim, { status, code, body }: Answer): Promise<unknown> {
    const isCarriedOut = status < 400 || (code !== undefined && CARRIED_OUT.has(code));
    if (isCarriedOut && typeof body === 'string')
      return query(this.dataSource, STORE_ANSWER, { ...this.heldBy(claim), status, body });
    if (code !== undefined && HAS_FAILED.has(code)) return this.releaseUndone(claim, randomBytes(SEED_BYTES));
    if (status < 500 && !isCarriedOut) return this.releaseUndone(claim);
    return query(this.dataSource, RELEASE, { ...this.heldBy(claim), seed: null });
  }

  /**
   * Releases the key of a request that had no effect.
   * @param seed new seed, if nothing can have been done under the old one
   */
  private releaseUndone(
    claim: HeldKey & Pick<IdempotencyClaim, 'isFirst'>,
    seed: Buffer | null = null,
  ): Promise<unknown> {
    if (claim.isFirst) return query(this.dataSource, FORGET, this.heldBy(claim));
    return query(this.dataSource, RELEASE, { ...this.heldBy(claim), seed });
  }

  /**
   * Releases a key that the database claimed after the request had returned UNAVAILABLE, so that a repeat need not wait
   * for the lease to expire.
   */
  private async releaseLate(key: HeldKey, taking: Promise<TakenKey>): Promise<void> {
    try {
      await this.releaseUndone({ ...key, ...(await taking) });
    } catch (error) {
      this.logger.debug({ err: error, clientId: key.clientId }, 'idempotency.late-release-failed');
    }
  }

  private heldBy({ clientId, route, key }: HeldKey): HeldKey & { owner: string } {
    return { clientId, route, key, owner: this.owner };
  }

  private async claim(held: HeldKey, { stored, known }: Fingerprint): Promise<TakenKey> {
    const seed = randomBytes(SEED_BYTES);
    for (let left = CLAIM_TRIES; left > 0; left -= 1) {
      const [claimed] = await query<{ seed: Buffer; seededAt: Date }>(this.dataSource, CLAIM, {
        ...this.heldBy(held),
        fingerprint: stored,
        seed,
        known,
      });
      if (claimed) return { newId: idsFrom(claimed.seed, claimed.seededAt), isFirst: claimed.seed.equals(seed) };
      const [earlier] = await query<{ isSame: boolean; status: number | null; body: string | null }>(
        this.dataSource,
        FIND,
        { ...held, known },
      );
      if (!earlier) continue;
      if (!earlier.isSame)
        throw new AppError('IDEMPOTENCY_MISMATCH', {
          message: `${ERRORS.IDEMPOTENCY_MISMATCH.message}: a new request needs a new key`,
        });
      if (earlier.status !== null) throw new StoredResponse(earlier.status, earlier.body ?? '');
      break;
    }
    throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
  }

  /**
   * Adds the key to unkeyed fingerprints, so that their requests are still recognised.
   * @returns true if more may remain
   */
  @Every({ name: 'idempotency.key-fingerprints', everyMs: KEY_FINGERPRINTS_EVERY_MS })
  async keyFingerprints(): Promise<boolean> {
    const unkeyed = await query<Unkeyed>(this.dataSource, FIND_UNKEYED, [FINGERPRINTS_AT_A_TIME]);
    if (unkeyed.length === 0) return false;
    const lists = KEYED_FINGERPRINTS.parameters(unkeyed, {
      keyed: ({ fingerprint }) => this.fingerprints.keyed(fingerprint),
    });
    const keyed = await query(this.dataSource, KEY_FINGERPRINTS, lists);
    this.logger.info({ fingerprints: keyed.length }, 'idempotency.fingerprints-keyed');
    return unkeyed.length === FINGERPRINTS_AT_A_TIME && keyed.length > 0;
  }

  @Every({ name: 'idempotency.renewal', everyMs: RENEW_EVERY_MS })
  async renew(): Promise<void> {
    for (const claim of this.running)
      if (performance.now() - claim.since > LONGEST_REQUEST_MS) this.running.delete(claim);
    if (this.running.size === 0) return;
    const lists = HELD_KEYS.parameters([...this.running]);
    await withinDatabaseDeadline(query(this.dataSource, RENEW, [this.owner, ...lists]));
  }
}

/**
 * Returns the owner of Idempotency-Keys on this route: an API client on all its routes, a user on routes that accept
 * keys.
 */
export function repeaterOf({ client, consoleUser, routeOptions }: FastifyRequest): string | undefined {
  if (client) return client.clientId;
  return routeOptions.config.takesIdempotencyKeys ? consoleUser?.userId : undefined;
}

interface Unkeyed {
  clientId: string;
  route: string;
  key: string;
  fingerprint: Buffer;
}

/** @throws AppError INVALID_VALUE */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key !== '' && key.length <= MAX_KEY_CHARACTERS) return key;
  throw new AppError('INVALID_VALUE', {
    message: `invalid value: the Idempotency-Key must have 1 to ${MAX_KEY_CHARACTERS} characters`,
  });
}
