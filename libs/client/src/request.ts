import { multipartOf } from './multipart';
import { type BuiltBody, isUpload, type Upload } from './upload';

export interface Route {
  method: string;
  /** As in the description, with `{parameters}`. */
  path: string;
  /** What of the input stands in the query although there may be a body. */
  query?: readonly string[];
}

/** A request that can be sent: where, and what. */
export interface BuiltRequest extends BuiltBody {
  url: string;
  method: string;
}

/** Puts an operation's input where it belongs: into the path, the query, or the body. */
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
  if (Object.values(fields).some(isUpload)) return multipartOf(fields as Record<string, string | Upload>);
  if (Object.keys(fields).length === 0) return { headers: {}, repeatableBody: true };
  const json = JSON.stringify(fields);
  return { headers: { 'content-type': 'application/json' }, body: () => json, repeatableBody: true };
}

function requiredText(input: Record<string, unknown>, name: string): string {
  const value = input[name];
  if (typeof value !== 'string' || value === '') throw new TypeError(`${name} is required`);
  // The URL would take these for steps in the path.
  if (value === '.' || value === '..') throw new TypeError(`${name} is not an id`);
  return value;
}
