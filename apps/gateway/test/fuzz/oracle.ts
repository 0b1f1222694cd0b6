import { ERRORS } from '@switchboard/contracts';
import type { Described } from '../support/described';
import type { FuzzRequest } from './requests';

/** Maximum response time in milliseconds. */
export const LIMIT_MS = 2_000;

export interface FuzzAnswer {
  status: number;
  contentType: string;
  requestId: string | undefined;
  /** True for the stored response to an earlier request, whose request id it contains. */
  isReplay: boolean;
  body: Buffer;
  durationMs: number;
}

/**
 * Errors that a request matching the description must never receive; otherwise the description would be too permissive.
 */
const MALFORMED = [
  'MISSING_FIELD',
  'INVALID_JSON',
  'INVALID_PHONE',
  'TEXT_TOO_LONG',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
  'INVALID_LINK',
];
const INTERNALS =
  /node_modules|\bat [^ ]+ \(|FST_|SELECT |violates|relation "|ECONN|Unexpected token|QueryFailed|undefined/;

/** Returns all problems with a response (guarantee 24 of ADR 41). */
export function problemsOf(
  request: FuzzRequest,
  answer: FuzzAnswer,
  { described, limitMs = LIMIT_MS }: { described: Described; limitMs?: number },
): string[] {
  const { status, contentType, body, durationMs } = answer;
  const problems: string[] = [];
  if (durationMs >= limitMs) problems.push(`took ${Math.round(durationMs)} ms`);
  if (status >= 500) problems.push(`status ${status}`);
  if (!contentType.startsWith('application/json'))
    return status === 200 || status === 206 || status === 304 ? problems : [...problems, `content type ${contentType}`];
  const parsed = parse(body);
  if (!parsed) return [...problems, 'the body is no JSON object'];
  problems.push(...described.problemsOf({ method: request.method, path: request.path, status, body: parsed }));
  if (status >= 400) problems.push(...refusalProblems(answer, parsed));
  else if (parsed.success !== true) problems.push('success is not true');
  if (request.kind === 'valid' && MALFORMED.includes(String(parsed.code)))
    problems.push(`${String(parsed.code)} although the request is as described: ${String(parsed.message)}`);
  return problems;
}

/** Checks that an error has the documented format and reveals no internals. */
export function refusalProblems(
  { status, requestId, isReplay }: Pick<FuzzAnswer, 'status' | 'requestId' | 'isReplay'>,
  body: Record<string, unknown>,
): string[] {
  const problems: string[] = [];
  const known = ERRORS[String(body.code) as keyof typeof ERRORS] as { status: number } | undefined;
  if (known?.status !== status) problems.push(`code ${String(body.code)} with status ${status}`);
  if (body.success !== false) problems.push('success is not false');
  if (typeof body.message !== 'string' || body.message === '' || body.message.length > 1000)
    problems.push('no message, or a very long one');
  if (typeof body.requestId !== 'string' || (body.requestId !== requestId && !isReplay))
    problems.push('requestId is not that of the header');
  if (INTERNALS.test(JSON.stringify(body))) problems.push('shows internals');
  return problems;
}

function parse(body: Buffer): Record<string, unknown> | undefined {
  try {
    const parsed = JSON.parse(body.toString()) as unknown;
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
