import { STATUS_CODES } from 'node:http';
import { request } from 'undici';
import { fitsKind, ruleOf } from './media-rules';

const CACHED_MS = 10 * 60 * 1_000;
const TIMEOUT_MS = 10_000;
const MAX_CACHED = 1_000;

/** URL of media in a send, with the kind of media. */
export interface MediaLink {
  url: string;
  kind: string;
}

/** Fetches linked media after the response, like the platform. Caches the result of a URL for ten minutes. */
export class LinkFetcher {
  private readonly results = new Map<string, { problem: Promise<string | undefined>; fetchedAtMs: number }>();

  /** Returns why the media cannot be sent, or undefined when they can. Never rejects. */
  problemOf({ url, kind }: MediaLink, nowMs: number): Promise<string | undefined> {
    const key = `${kind} ${url}`;
    const known = this.results.get(key);
    if (known && nowMs - known.fetchedAtMs < CACHED_MS) return known.problem;
    const problem = fetchAndCheck(url, kind);
    this.results.delete(key);
    this.results.set(key, { problem, fetchedAtMs: nowMs });
    if (this.results.size > MAX_CACHED) this.results.delete(this.results.keys().next().value!);
    return problem;
  }

  reset(): void {
    this.results.clear();
  }
}

async function fetchAndCheck(url: string, kind: string): Promise<string | undefined> {
  try {
    const { statusCode, headers, body } = await request(url, {
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const mimeType = String(headers['content-type'] ?? 'application/octet-stream');
    const problem = statusProblem(statusCode) ?? typeProblem(mimeType, kind);
    if (problem === undefined) return await sizeProblem(body, ruleOf(mimeType)?.maxBytes ?? 0);
    await body.dump();
    return problem;
  } catch (error) {
    return `Downloading media from weblink failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function statusProblem(statusCode: number): string | undefined {
  if (statusCode === 200) return undefined;
  return `Downloading media from weblink failed with http code ${statusCode}, status message ${STATUS_CODES[statusCode] ?? 'unknown'}`;
}

function typeProblem(mimeType: string, kind: string): string | undefined {
  return fitsKind(mimeType, kind) ? undefined : `Unsupported ${kind} mime type ${mimeType}`;
}

async function sizeProblem(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string | undefined> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) return `Media is larger than the ${maxBytes} bytes that are allowed`;
  }
  return undefined;
}
