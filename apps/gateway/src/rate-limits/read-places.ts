import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config';
import { extendRouteConfig } from '../http/route-config';

/** A read that gets no place in this time is refused; a page of any list takes some hundredths of it. */
const WAIT_MS = 1_000;
/** So many reads of an account wait at most; they hold a connection and nothing else. */
const WAITING_MOST = 50;
const RETRY_AFTER_SECONDS = 1;
const READING_METHODS = ['GET', 'HEAD'];

/**
 * The answer is a file and goes out as fast as the caller takes it: such requests have places of their own, or slow
 * ones would keep pages waiting.
 */
export function Download(): MethodDecorator {
  return extendRouteConfig({ isDownload: true });
}

interface Places {
  taken: number;
  /** Lets the next one in; in the order in which they came. */
  waiting: Set<() => void>;
}

/**
 * The reads of an account that one gateway works on at a time: whoever asks for more waits a moment, and nobody else
 * waits for them.
 */
@Injectable()
export class ReadPlaces {
  private readonly places = new Map<string, Places>();

  constructor(@Inject(CONFIG) private readonly config: GatewayConfig) {}

  /**
   * Lets a request in that reads, and gives its place back when its answer is out or the caller has gone; that of a
   * download not before nobody writes its file any more. Does nothing for other requests.
   * @throws AppError RATE_LIMITED when it got no place in time, or too many wait already
   */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const accountId = (request.client ?? request.consoleUser)?.account.id;
    if (accountId === undefined || !READING_METHODS.includes(request.method)) return;
    const isDownload = request.routeOptions.config.isDownload === true;
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

  /** @returns gives the place back */
  private async enter(key: string, most: number): Promise<() => void> {
    const places = this.places.get(key) ?? { taken: 0, waiting: new Set() };
    this.places.set(key, places);
    if (places.taken >= most) await turnIn(places, most);
    else places.taken += 1;
    return () => this.leave(key, places);
  }

  private leave(key: string, places: Places): void {
    const [next] = places.waiting;
    if (next) return next();
    places.taken -= 1;
    if (places.taken === 0) this.places.delete(key);
  }
}

/** Waits until somebody hands their place over. @throws AppError RATE_LIMITED */
async function turnIn({ waiting }: Places, most: number): Promise<void> {
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
