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

/** Installations that `npm test` hurts side by side: a command waits half of its time, for a program that starts or a deadline that passes. */
const SIDE_BY_SIDE = 2;
const SHORT = Object.keys(COMMANDS).filter((name) => !COMMANDS[name]?.isApart);

/** The names of the commands as `npm test` runs their short forms: each list one after the other on an installation of its own, the lists side by side. */
export const shortLanes = Array.from({ length: SIDE_BY_SIDE }, (_, lane) => SHORT.filter((_name, index) => index % SIDE_BY_SIDE === lane));
