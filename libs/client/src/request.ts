import { multipartOf } from './multipart';
import { type BuiltBody, isUpload } from './upload';

export interface Route {
  method: string;
  /** Path template, such as `/v1/jobs/{jobId}`. */
  path: string;
  /** Inputs sent in the query although the operation may have a body. */
  query?: readonly string[];
}

/** URL, headers and body of a request. */
export interface BuiltRequest extends BuiltBody {
  url: string;
  method: string;
}

/** Distributes an operation's input over the path, query and body. */
export function buildRequest(
  baseUrl: string,
  { method, path, query = [] }: Route,
  input: Record<string, unknown>,
): BuiltRequest {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const rest = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => !inPath.includes(name) && value !== undefined),
  );
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(requiredText(input, name)));
  const url = new URL(baseUrl.replace(/\/(v1\/?)?$/, '') + filled);
  const inBody: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest))
    if (method === 'GET' || query.includes(name))
      url.searchParams.set(name, value instanceof Date ? value.toISOString() : String(value));
    else inBody[name] = value;
  return { url: url.href, method, ...bodyOf(inBody) };
}

function bodyOf(fields: Record<string, unknown>): BuiltBody {
  if (Object.values(fields).some(isUpload)) return multipartOf(fields);
  if (Object.keys(fields).length === 0) return { headers: {}, repeatableBody: true };
  const json = JSON.stringify(fields);
  return { headers: { 'content-type': 'application/json' }, body: () => json, repeatableBody: true };
}

function requiredText(input: Record<string, unknown>, name: string): string {
  const value = input[name];
  if (typeof value !== 'string' || value === '') throw new TypeError(`${name} is required`);
  // URL parsing would resolve these values as path segments.
  if (value === '.' || value === '..') throw new TypeError(`${name} is not an id`);
  return value;
}
