import { multipartOf } from './multipart';
import { type BuiltBody, isUpload } from './upload';

export interface Route {
  method: string;
  /** As in the description, with `{parameters}`. */
  path: string;
  /** What goes into the query although the call has a body; all of a GET does. */
  query?: readonly string[];
}

/** A request that can be sent: where, and what. */
export interface BuiltRequest extends BuiltBody {
  url: string;
  method: string;
}

/** Puts an operation's input where it belongs: into the path, the query of a GET, or the body. */
export function buildRequest(baseUrl: string, route: Route, input: Record<string, unknown>): BuiltRequest {
  const { method, path, query = [] } = route;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const given = Object.entries(input).filter(([name, value]) => !inPath.includes(name) && value !== undefined);
  const inQuery = given.filter(([name]) => method === 'GET' || query.includes(name));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(requiredText(input, name)));
  const url = new URL(baseUrl.replace(/\/(v1\/?)?$/, '') + filled);
  for (const [name, value] of inQuery)
    url.searchParams.set(name, value instanceof Date ? value.toISOString() : String(value));
  return { url: url.href, method, ...bodyOf(Object.fromEntries(given.filter((field) => !inQuery.includes(field)))) };
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
  // The URL would take these for steps in the path.
  if (value === '.' || value === '..') throw new TypeError(`${name} is not an id`);
  return value;
}
