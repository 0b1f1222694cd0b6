import { AppError } from '@switchboard/contracts';
import { Agent, type Dispatcher, request } from 'undici';
import { guardedConnector } from '../url-guard/guarded-connect';
import { parseCustomerUrl, type UrlRules } from '../url-guard/url-guard';
import { CallError, codeOf, type ErrorClass, InterruptedError } from './call-error';

/** One deadline over look-up, connect, TLS, head and body (spec 6.6). */
export const WEBHOOK_DEADLINE_MS = 10_000;
/** So much of an answer is read at most; then the connection is closed. */
export const ANSWER_LIMIT_BYTES = 16 * 1024;
/** Idle connections are closed before common servers close them, so that a request does not run into a closing one. */
const IDLE_CONNECTION_MS = 2_000;

export interface CustomerRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: Buffer;
}

/** What came of one request; success is `errorClass === null` and nothing else. */
export interface CallOutcome {
  errorClass: ErrorClass | null;
  /** What failed, in words a customer understands; empty on success. */
  reason: string;
  statusCode: number | null;
  /** At most ANSWER_LIMIT_BYTES of the answer's body. */
  answer: Buffer;
  durationMs: number;
}

/** The only way this service talks to customers' servers: guarded, bounded in time and size, without redirects. */
export class CustomerHttp {
  private readonly agent: Agent;
  private readonly running = new Set<AbortController>();

  constructor(private readonly rules: UrlRules) {
    const connect = guardedConnector({ ...rules, timeoutMs: WEBHOOK_DEADLINE_MS });
    this.agent = new Agent({ connect, keepAliveTimeout: IDLE_CONNECTION_MS, keepAliveMaxTimeout: IDLE_CONNECTION_MS, headersTimeout: 0, bodyTimeout: 0 });
  }

  /**
   * Makes one request. Whatever the customer's side does wrong is an outcome, not an exception.
   * @throws InterruptedError when `interruptAll` was called meanwhile
   */
  async call(customerRequest: CustomerRequest): Promise<CallOutcome> {
    const startedAt = performance.now();
    const abort = new AbortController();
    const deadline = setTimeout(() => abort.abort(tooSlow()), WEBHOOK_DEADLINE_MS);
    this.running.add(abort);
    const answer = new Answer();
    try {
      await this.exchange(customerRequest, abort.signal, answer);
      return answer.outcome(startedAt, answer.statusCode === 200 ? null : answered(answer.statusCode));
    } catch (error) {
      // undici may report the cut connection instead of the reason it was cut for
      const cause: unknown = abort.signal.aborted ? abort.signal.reason : error;
      if (cause instanceof InterruptedError) throw cause;
      return answer.outcome(startedAt, asCallError(cause));
    } finally {
      clearTimeout(deadline);
      this.running.delete(abort);
    }
  }

  /** Cuts every running request; each of their calls throws InterruptedError. */
  interruptAll(): void {
    for (const abort of this.running) abort.abort(new InterruptedError('the service is stopping'));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  private async exchange({ url, method, headers, body }: CustomerRequest, signal: AbortSignal, answer: Answer): Promise<void> {
    const target = parseCustomerUrl(url, this.rules);
    const response = await request(target, { dispatcher: this.agent, method, headers, body, signal });
    answer.statusCode = response.statusCode;
    await answer.read(response.body);
  }
}

/** What has been received so far; kept when the rest never comes. */
class Answer {
  statusCode: number | null = null;
  private readonly chunks: Buffer[] = [];
  private size = 0;

  /** Leaving the loop early destroys the stream, and with it the connection. */
  async read(body: Dispatcher.ResponseData['body']): Promise<void> {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      this.chunks.push(chunk);
      this.size += chunk.length;
      if (this.size >= ANSWER_LIMIT_BYTES) return;
    }
  }

  outcome(startedAt: number, failure: CallError | null): CallOutcome {
    return {
      errorClass: failure?.errorClass ?? null,
      reason: failure?.message ?? '',
      statusCode: this.statusCode,
      answer: Buffer.concat(this.chunks).subarray(0, ANSWER_LIMIT_BYTES),
      durationMs: Math.round(performance.now() - startedAt),
    };
  }
}

function tooSlow(): CallError {
  return new CallError('timeout', `the endpoint did not answer within ${WEBHOOK_DEADLINE_MS / 1000} seconds`);
}

function answered(statusCode: number | null): CallError {
  return new CallError('status', `the endpoint answered ${statusCode ?? 'nothing'}`);
}

function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  if (error instanceof AppError) return new CallError('blocked', error.message);
  // Sockets, the HTTP parser and undici name their errors; one without a name, or about our own arguments, is a fault of ours.
  const code = codeOf(error);
  if (code === undefined || code === 'UND_ERR_INVALID_ARG') throw error;
  return new CallError('body', 'the endpoint closed the connection or did not answer in HTTP', { cause: error });
}
