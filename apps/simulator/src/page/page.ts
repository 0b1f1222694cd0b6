import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import html from './page.html';

/** `'sha256-…'` of the one inline element of a kind, so that the policy can allow it and nothing else. */
function inlineHash(element: 'script' | 'style'): string {
  const content = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(html)?.[1] ?? '';
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${inlineHash('script')}`,
    `style-src ${inlineHash('style')}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

/** The page at `/`: what was received, writing in as a customer, templates, faults. */
export function registerPage(app: FastifyInstance): void {
  app.get('/', async (_request, reply) => reply.headers(HEADERS).send(html));
}
