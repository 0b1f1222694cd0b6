import { AppError, type WebhookErrorClass } from '@switchboard/contracts';
import { Agent } from 'undici';
import { guardedConnector } from './guarded-connect';
import { parseCustomerUrl, type UrlRules } from './url-guard';
import { AnswerReader } from './answer-reader';
import { CallError, codeOf, InterruptedError } from './call-error';

/** Total deadline for DNS lookup, connect, TLS, response head and body (spec §11.5.6). */
export const WEBHOOK_DEADLINE_MS = 10_000;
/** Shorter than the keep-alive timeout of common servers, so that no request uses a connection that is closing. */
const IDLE_CONNECTION_MS = 2_000;

const SHOWN_LOCATION_CHARACTERS = 200;

export interface CustomerRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: Buffer;
  /** Treats any status from 200 to 299 as success, instead of only 200. */
  acceptsAny2xx?: boolean;
}

/** The outcome of one request. The request succeeded if and only if `errorClass` is null. */
export interface CallOutcome {
  errorClass: WebhookErrorClass | null;
  /** Failure reason, phrased for customers. Empty on success. */
  reason: string;
  statusCode: number | null;
  /** The first ANSWER_LIMIT_BYTES of the response body. */
  answer: Buffer;
  durationMs: number;
}

/** The only HTTP client for customers' servers. It checks addresses, limits time and size, and follows no redirects. */
export class CustomerHttp {
  private readonly agent: Agent;
  private readonly running = new Set<AnswerReader>();

  /** @param rules allowed addresses, and the proxy to use, if any */
  constructor(readonly rules: UrlRules & { proxyUrl?: string }) {
    const connect = guardedConnector({ ...rules, timeoutMs: WEBHOOK_DEADLINE_MS });
    this.agent = new Agent({
      connect,
      keepAliveTimeout: IDLE_CONNECTION_MS,
      keepAliveMaxTimeout: IDLE_CONNECTION_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Makes one request. Failures of the customer's server are outcomes, not exceptions.
   * @throws InterruptedError when `interruptAll` is called during the request
   */
  async call({ method, url, headers, body, acceptsAny2xx = false }: CustomerRequest): Promise<CallOutcome> {
    const startedAt = performance.now();
    const answer = new AnswerReader();
    const deadline = setTimeout(() => answer.cut(tooSlow()), WEBHOOK_DEADLINE_MS);
    this.running.add(answer);
    try {
      const { origin, pathname, search } = parseCustomerUrl(url, this.rules);
      // Use `dispatch`, because the streams and signals of `request` cost more than the rest of the exchange.
      this.agent.dispatch({ origin, path: pathname + search, method, headers, body }, answer);
      await answer.ended;
      return outcomeOf(answer, startedAt, isSuccess(answer.statusCode, acceptsAny2xx) ? null : answered(answer));
    } catch (error) {
      if (error instanceof InterruptedError) throw error;
      return outcomeOf(answer, startedAt, asCallError(error, answer));
    } finally {
      clearTimeout(deadline);
      this.running.delete(answer);
    }
  }

  /** Aborts all running requests. Their `call` throws InterruptedError. */
  interruptAll(): void {
    for (const answer of this.running) answer.cut(new InterruptedError('the service is stopping'));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }
}

function outcomeOf(answer: AnswerReader, startedAt: number, failure: CallError | null): CallOutcome {
  return {
    errorClass: failure?.errorClass ?? null,
    reason: failure?.message ?? '',
    statusCode: answer.statusCode,
    answer: answer.body,
    durationMs: Math.round(performance.now() - startedAt),
  };
}

function tooSlow(): CallError {
  return new CallError('timeout', `the endpoint did not answer within ${WEBHOOK_DEADLINE_MS / 1000} seconds`);
}

function isSuccess(statusCode: number | null, acceptsAny2xx: boolean): boolean {
  return acceptsAny2xx && statusCode !== null ? statusCode >= 200 && statusCode < 300 : statusCode === 200;
}

function answered({ statusCode, location }: AnswerReader): CallError {
  const isRedirect = statusCode !== null && statusCode >= 300 && statusCode < 400 && location !== null;
  const where = isRedirect ? ` with the Location ${shownLocation(location)}: redirects are not followed` : '';
  return new CallError('status', `the endpoint answered ${statusCode ?? 'nothing'}${where}`);
}

/** Omits the query string, because that of a challenge contains the verify token. */
function shownLocation(location: string): string {
  const [path = '', ...query] = location.replaceAll(/[^\x21-\x7E]/g, '?').split(/(?=[?#])/);
  const shown = path.length > SHOWN_LOCATION_CHARACTERS ? `${path.slice(0, SHOWN_LOCATION_CHARACTERS)}…` : path;
  return query.length > 0 ? `${shown}?…` : shown;
}

function asCallError(error: unknown, { statusCode }: AnswerReader): CallError {
  if (error instanceof CallError) return error;
  if (error instanceof AppError) return new CallError('blocked', error.message);
  // Sockets, the HTTP parser and undici set an error code. An error without a code, or about invalid arguments, is
  // internal.
  const code = codeOf(error);
  if (code === undefined || code === 'UND_ERR_INVALID_ARG') throw error;
  if (statusCode === null && isLost(error, code))
    return new CallError('reset', 'the endpoint closed the connection without an answer', { cause: error });
  return new CallError('body', 'the answer of the endpoint broke off or is not HTTP', { cause: error });
}

/** Returns true if the connection was lost: reset (a system error with `syscall`) or closed by the peer. */
function isLost(error: unknown, code: string): boolean {
  return code === 'UND_ERR_SOCKET' || (error instanceof Error && 'syscall' in error);
}
