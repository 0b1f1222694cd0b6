// @ts-check
import { away } from './away.mjs';
import { bulk } from './bulk.mjs';
import { credits } from './credits.mjs';
import { idempotency } from './idempotency.mjs';
import { otp } from './otp.mjs';
import { send } from './send.mjs';
import { schedule } from './webhooks-schedule.mjs';
import { webhooks } from './webhooks.mjs';

/**
 * Every fault command by its name. `npm test` runs the short forms in this order.
 * @type {Record<string, import('./command.mjs').AnyFaultCommand>}
 */
export const COMMANDS = {
  send,
  idempotency,
  credits,
  otp,
  bulk,
  webhooks,
  schedule,
  away,
};
