import { createClient } from '@switchboard/client';
import { demo } from './demo';

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export interface CallOptions {
  /** API key to send, or null to send none. */
  apiKey?: string | null;
  headers?: Record<string, string>;
  /** Request body. Objects are sent as JSON, strings unchanged. */
  body?: object | string;
}

/** API client with the demo account's key, without retries. */
export const api = clientOf(demo.apiKey);

export function clientOf(apiKey: string): ReturnType<typeof createClient> {
  return createClient({ baseUrl: demo.baseUrl, apiKey, maxRetries: 0 });
}

/** Sends any request, including invalid ones. The path starts after `/v1`. */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { apiKey = demo.apiKey, headers = {}, body } = options;
  const response = await fetch(`${demo.baseUrl}${path}`, {
    method,
    headers: {
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : { text },
  };
}

export const get = (path: string, options?: CallOptions): Promise<Answer> => call('GET', path, options);
export const post = (path: string, body: object | string, options?: CallOptions): Promise<Answer> =>
  call('POST', path, { ...options, body });
