import type { FastifyInstance } from 'fastify';
import type { JsonObject } from '../json';
import { HELD_STATUSES } from '../messages/held-messages';
import { CATEGORIES } from '../templates/new-template';
import type { StoredTemplate } from '../templates/seed';
import { STATUS_AFTER_EVENT, type TemplateEvent } from '../templates/template-store';
import type { World } from '../world';
import { ControlError, objectOf, oneOf, textOf } from './control-error';

const SCORES = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const;
const EVENTS = Object.keys(STATUS_AFTER_EVENT) as TemplateEvent[];

type Call = { Params: { name: string } };

/** Registers control of templates: forces a status, quality or category, and reports it like the platform. */
export function registerTemplateControl(app: FastifyInstance, { templates, lifecycle, numbers, held }: World): void {
  const find = (name: string, { language }: JsonObject): StoredTemplate => {
    const template = templates.find(name, textOf(language));
    if (!template) throw new ControlError('no such template', 404);
    return template;
  };
  app.post<Call>('/templates/:name/status', async ({ params, body }) => {
    const given = objectOf(body);
    const template = find(params.name, given);
    const event = oneOf('event', EVENTS, given.event);
    const isPacing = event === 'PAUSED' && given.reason === 'RATE_LIMITING_PAUSE';
    const other_info = {
      title: 'RATE_LIMITING_PAUSE',
      description: 'Your WhatsApp message template has been paused by pacing.',
    };
    lifecycle.change(template, event, isPacing ? { other_info } : { reason: textOf(given.reason) ?? 'NONE' });
    return { name: template.name, language: template.language, status: template.status };
  });
  app.post<Call>('/templates/:name/quality', async ({ params, body }) => {
    const given = objectOf(body);
    const template = find(params.name, given);
    lifecycle.rate(template, oneOf('score', SCORES, given.score), Date.now());
    return { name: template.name, language: template.language, status: template.status, score: given.score };
  });
  app.post<Call>('/templates/:name/category', async ({ params, body }) => {
    const given = objectOf(body);
    const template = find(params.name, given);
    lifecycle.recategorize(template, oneOf('category', CATEGORIES, given.category));
    return { name: template.name, language: template.language, category: template.category };
  });
  const numberIdOf = (phoneNumber: unknown): string => {
    const number = numbers.find(String(phoneNumber));
    if (!number) throw new ControlError('phoneNumber: no such business number', 404);
    return number.id;
  };
  app.post<Call>('/templates/:name/hold', async ({ params: { name }, body }) => {
    const { phoneNumber, status = HELD_STATUSES[0] } = objectOf(body);
    held.hold(numberIdOf(phoneNumber), name, oneOf('status', HELD_STATUSES, status));
    return { name, status };
  });
  app.post<Call>('/templates/:name/release', async ({ params: { name }, body }) => {
    const { phoneNumber, drop = false } = objectOf(body);
    if (typeof drop !== 'boolean') throw new ControlError('drop: true or false');
    return { name, released: held.release(numberIdOf(phoneNumber), name, drop) };
  });
}
