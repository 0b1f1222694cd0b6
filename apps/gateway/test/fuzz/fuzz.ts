import 'reflect-metadata';
import fc from 'fast-check';
import { Pool } from 'undici';
import { type ApiDescription, Described } from '../support/described';
import { type FuzzAnswer, LIMIT_MS, problemsOf } from './oracle';
import { type FuzzRequest, type Operation, requestsTo } from './requests';
import type { JsonSchema, Sources } from './schema-values';
import { brokenWire, wireProblems } from './wire';

export interface FuzzOptions {
  /** Base URL of the service, without `/v1`. */
  url: string;
  apiKey: string;
  description: ApiDescription;
  requests: number;
  concurrency: number;
  seed: number;
  /** Meaningful values by field name. */
  known?: Record<string, string[]>;
  /** Meaningful file contents by field name. */
  files?: Record<string, Buffer>;
  /** Maximum response time in milliseconds; defaults to the guaranteed one. */
  limitMs?: number;
  onProgress?(done: number): void;
}

export interface Failure {
  problems: string[];
  request: string;
  answer: string;
}

export interface FuzzReport {
  requests: number;
  seconds: number;
  seed: number;
  byStatus: Record<string, number>;
  byCode: Record<string, number>;
  byKind: Record<string, number>;
  byOperation: Record<string, number>;
  /** Number of valid requests that succeeded, by operation. */
  accepted: Record<string, number>;
  p99Ms: number;
  slowestMs: number;
  /** Number of requests repeated because the first response was late or a 503. */
  repeated: number;
  failed: number;
  failures: Failure[];
}

const BATCH = 250;
/** Fraction of requests that are invalid below HTTP. */
const WIRE_SHARE = 0.06;
const MAX_FAILURES = 20;
/** Reads the key and the account from the database. */
const PROBE = { method: 'GET', path: '/v1/me', headers: {} };
/** The service answers each within two seconds. */
const MAX_PROBES = 30;

/**
 * Sends generated requests to every operation of a description and checks the responses (guarantee 24 of ADR 41). The
 * same seed generates the same requests.
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { url, concurrency, requests, seed, description, onProgress } = options;
  const run = new FuzzRun(options, new Described(description));
  const all = arbitraryOf(options);
  const pool = new Pool(url, { connections: concurrency });
  try {
    for (let done = 0; done < requests; done += BATCH) {
      const batch = fc.sample(all, { numRuns: Math.min(BATCH, requests - done), seed: seed + done });
      const senders = Array.from({ length: concurrency }, async () => {
        for (let next = batch.pop(); next; next = batch.pop())
          await (Buffer.isBuffer(next) ? run.sendBytes(next) : run.send(pool, next));
      });
      await Promise.all(senders);
      onProgress?.(Math.min(done + BATCH, requests));
    }
  } finally {
    await pool.destroy();
  }
  return run.report();
}

function arbitraryOf({ description, apiKey, known = {}, files = {} }: FuzzOptions): fc.Arbitrary<FuzzRequest | Buffer> {
  const sources: Sources = {
    known,
    files,
    resolve: (ref) => description.components.schemas[ref.slice(ref.lastIndexOf('/') + 1)] as JsonSchema,
  };
  const requests = fc.oneof(...operationsOf(description).map((operation) => requestsTo(operation, sources)));
  const wire = brokenWire(requests, { apiKey });
  const share = Math.round(1 / WIRE_SHARE);
  return fc.oneof({ weight: share - 1, arbitrary: requests }, { weight: 1, arbitrary: wire });
}

interface DescribedOperation {
  operationId: string;
  parameters?: Operation['parameters'];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
}

export function operationsOf(description: ApiDescription): Operation[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item as unknown as Record<string, DescribedOperation>).map(
      ([method, { operationId, parameters = [], requestBody }]) => ({
        operationId,
        method: method.toUpperCase(),
        path,
        parameters: parameters.filter(({ schema }) => schema !== undefined),
        body: requestBody && {
          json: requestBody.content['application/json']?.schema,
          multipart: requestBody.content['multipart/form-data']?.schema,
        },
      }),
    ),
  );
}

class FuzzRun {
  private readonly startedAt = performance.now();
  private readonly durations: number[] = [];
  private readonly counts = { byStatus: {}, byCode: {}, byKind: {}, byOperation: {}, accepted: {} } as Record<
    'byStatus' | 'byCode' | 'byKind' | 'byOperation' | 'accepted',
    Record<string, number>
  >;
  private readonly failures: Failure[] = [];
  private failed = 0;
  private repeated = 0;

  constructor(
    private readonly options: FuzzOptions,
    private readonly described: Described,
  ) {}

  async send(pool: Pool, request: FuzzRequest): Promise<void> {
    this.count({ byKind: request.kind, byOperation: request.operationId });
    const answer = await this.answerTo(pool, request).catch((error: unknown) => error as Error);
    if (answer instanceof Error) return this.fail(['no answer'], request, String(answer));
    this.durations.push(answer.durationMs);
    const code = answer.status < 400 ? undefined : /"code":"(\w+)"/.exec(answer.body.toString())?.[1];
    this.count({
      byStatus: String(answer.status),
      ...(code !== undefined && { byCode: code }),
      ...(answer.status < 300 && { accepted: request.operationId }),
    });
    const problems = problemsOf(request, answer, { described: this.described, limitMs: this.options.limitMs });
    const shown = answer.contentType.startsWith('application/json')
      ? answer.body.toString().slice(0, 500)
      : `${answer.body.length} bytes of ${answer.contentType}`;
    if (problems.length > 0) this.fail(problems, request, `${answer.status} ${shown}`);
  }

  async sendBytes(bytes: Buffer): Promise<void> {
    this.count({ byKind: 'broken HTTP' });
    const { status, problems } = await wireProblems(this.options.url, bytes);
    this.count({ byStatus: status === 0 ? 'closed' : String(status) });
    if (problems.length > 0)
      this.fail(problems, JSON.stringify(bytes.toString('latin1').slice(0, 1500)), String(status));
  }

  report(): FuzzReport {
    const sorted = [...this.durations].sort((a, b) => a - b);
    return {
      requests: Object.values(this.counts.byKind).reduce((sum, count) => sum + count, 0),
      seconds: (performance.now() - this.startedAt) / 1000,
      seed: this.options.seed,
      ...this.counts,
      p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      slowestMs: sorted.at(-1) ?? 0,
      repeated: this.repeated,
      failed: this.failed,
      failures: this.failures,
    };
  }

  /**
   * Repeats a request once after a 503 or a late response, as soon as the service answers again. Both are correct while
   * the machine stalls, but a request that causes them fails again.
   */
  private async answerTo(pool: Pool, request: FuzzRequest): Promise<FuzzAnswer> {
    const answer = await this.exchange(pool, request);
    if (answer.status !== 503 && answer.durationMs < (this.options.limitMs ?? LIMIT_MS)) return answer;
    this.repeated += 1;
    await this.waitForService(pool);
    return this.exchange(pool, request);
  }

  private async waitForService(pool: Pool): Promise<void> {
    for (let probes = 0; probes < MAX_PROBES; probes += 1)
      if ((await this.exchange(pool, PROBE)).status !== 503) return;
  }

  private async exchange(
    pool: Pool,
    { method, path, headers, body }: Pick<FuzzRequest, 'method' | 'path' | 'headers' | 'body'>,
  ): Promise<FuzzAnswer> {
    const startedAt = performance.now();
    const answer = await pool.request({
      method: method as 'GET',
      path,
      headers: { authorization: `Bearer ${this.options.apiKey}`, ...headers },
      body: body ?? null,
    });
    const content = Buffer.from(await answer.body.arrayBuffer());
    const text = (name: string): string | undefined => [answer.headers[name]].flat()[0];
    return {
      status: answer.statusCode,
      contentType: text('content-type') ?? '',
      requestId: text('x-request-id'),
      isReplay: text('idempotency-replay') === 'true',
      body: content,
      durationMs: performance.now() - startedAt,
    };
  }

  private count(names: Partial<Record<keyof typeof this.counts, string>>): void {
    for (const [kind, name] of Object.entries(names) as [keyof typeof this.counts, string][])
      this.counts[kind][name] = (this.counts[kind][name] ?? 0) + 1;
  }

  private fail(problems: string[], request: FuzzRequest | string, answer: string): void {
    this.failed += 1;
    if (this.failures.length >= MAX_FAILURES) return;
    const shown =
      typeof request === 'string'
        ? request
        : `[${request.kind}] ${request.method} ${request.path.slice(0, 400)} ${JSON.stringify(request.headers).slice(0, 400)} ${request.body?.toString('latin1').slice(0, 600) ?? ''}`;
    this.failures.push({ problems, request: shown, answer });
  }
}
