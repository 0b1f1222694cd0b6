// @ts-check
import { away } from './away.mjs';
import { bulk } from './bulk.mjs';
import { credits } from './credits.mjs';
import { fuzz } from './fuzz.mjs';
import { idempotency } from './idempotency.mjs';
import { neighbours } from './neighbours.mjs';
import { otp } from './otp.mjs';
import { readonly } from './readonly.mjs';
import { secrets } from './secrets.mjs';
import { send } from './send.mjs';
import { silent } from './silent.mjs';
import { slope } from './slope.mjs';
import { truth } from './truth.mjs';
import { schedule } from './webhooks-schedule.mjs';
import { webhooks } from './webhooks.mjs';

/**
 * Every fault command by its name, in the order in which they run.
 * @type {Record<string, import('./command.mjs').AnyFaultCommand>}
 */
export const COMMANDS = {
  send,
  truth,
  idempotency,
  credits,
  otp,
  secrets,
  bulk,
  webhooks,
  schedule,
  fuzz,
  silent,
  readonly,
  neighbours,
  slope,
  away,
};

/** The names of those whose short forms `npm test` runs. */
export const shortFaults = Object.keys(COMMANDS).filter((name) => !COMMANDS[name]?.isApart);
