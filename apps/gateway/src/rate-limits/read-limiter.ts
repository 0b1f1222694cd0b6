import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config';
import { extendRouteConfig } from '../http/route-config';

/** Maximum wait for a read slot in milliseconds. A page of any list takes a few hundredths of it. */
const WAIT_MS = 1_000;
/** Maximum waiting reads per account. Each holds only its connection. */
const WAITING_MOST = 50;
const RETRY_AFTER_SECONDS = 1;
const READING_METHODS = ['GET', 'HEAD'];

/**
 * Marks a route that streams a file at the pace of its reader. Downloads have separate slots, so that slow ones do not
 * block pages.
 */
export function Download(): MethodDecorator {
  return extendRouteConfig({ isDownload: true });
}

interface Slots {
  taken: number;
  /** Resumes waiting requests, in order of arrival. */
  waiting: Set<() => void>;
}

/**
 * Limits an account's concurrent reads in this gateway. Excess reads wait briefly, without affecting other accounts.
 */
@Injectable()
export class ReadLimiter {
  private readonly slots = new Map<string, Slots>();

  constructor(@Inject(CONFIG) private readonly config: GatewayConfig) {}

  /**
   * Acquires a slot for a read. Releases it when the response has been sent or the caller disconnects; for a download,
   * when its file is no longer being written. Ignores other requests.
   * @throws AppError RATE_LIMITED if no slot was free in time or too many requests are waiting
   */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const accountId = (request.client ?? request.consoleUser)?.account.id;
    if (accountId === undefined || !READING_METHODS.includes(request.method)) return;
    const { isEventStream, isDownload = false } = request.routeOptions.config;
    if (isEventStream) return;
    const leave = await this.enter(
      `${accountId} ${isDownload ? 'downloads' : 'reads'}`,
      isDownload ? this.config.DOWNLOADS_PER_ACCOUNT : this.config.READS_PER_ACCOUNT,
    );
    if (reply.raw.destroyed) return leave();
    reply.raw.once('close', () => {
      const { download } = request;
      if (!download || download.closed) leave();
      else download.once('close', leave);
    });
  }

  /** @returns a function that releases the slot */
  private async enter(key: string, most: number): Promise<() => void> {
    const slots = this.slots.get(key) ?? { taken: 0, waiting: new Set() };
    this.slots.set(key, slots);
    if (slots.taken >= most) await waitForSlot(slots, most);
    else slots.taken += 1;
    return () => this.leave(key, slots);
  }

  private leave(key: string, slots: Slots): void {
    const [next] = slots.waiting;
    if (next) return next();
    slots.taken -= 1;
    if (slots.taken === 0) this.slots.delete(key);
  }
}

/** Waits for a released slot. @throws AppError RATE_LIMITED */
async function waitForSlot({ waiting }: Slots, most: number): Promise<void> {
  if (waiting.size >= WAITING_MOST) throw tooMany(most);
  await new Promise<void>((resolve, reject) => {
    const take = (): void => {
      waiting.delete(take);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(take);
      reject(tooMany(most));
    }, WAIT_MS);
    waiting.add(take);
  });
}

function tooMany(most: number): AppError {
  const message = `rate limit exceeded: your account may have ${most} requests of this kind in progress at a time; wait until one of them is answered`;
  return new AppError('RATE_LIMITED', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
