import type { FastifyInstance } from 'fastify';
import html from './page.html';
import bubbles from './script-bubbles.html';
import chats from './script-chats.html';
import core from './script-core.html';
import receiver from './script-receiver.html';
import settings from './script-settings.html';
import style from './style.html';

/** Removes the tags around a script or style part, which editors need for syntax support. */
const inner = (part: string): string => part.replace(/^\s*<(?:script|style)>\n|<\/(?:script|style)>\s*$/g, '');

const FILES: Record<string, { type: string; content: string }> = {
  '/': { type: 'text/html; charset=utf-8', content: html },
  '/page.css': { type: 'text/css; charset=utf-8', content: inner(style) },
  '/page.js': {
    type: 'text/javascript; charset=utf-8',
    content: [core, bubbles, chats, receiver, settings].map(inner).join(''),
  },
};

const HEADERS = {
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "media-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

/**
 * Registers the page at `/`: chats, received messages, a customer composer, templates, numbers, a webhook receiver,
 * faults. The page loads nothing from other origins.
 */
export function registerPage(app: FastifyInstance): void {
  for (const [path, { type, content }] of Object.entries(FILES)) {
    app.get(path, async (_request, reply) => reply.headers({ ...HEADERS, 'content-type': type }).send(content));
  }
}
