// @ts-check
import { alerts } from './alerts.mjs';
import { away } from './away.mjs';
import { bulk } from './bulk.mjs';
import { coldStart } from './cold-start.mjs';
import { credits } from './credits.mjs';
import { fuzz } from './fuzz.mjs';
import { idempotency } from './idempotency.mjs';
import { mixed } from './mixed.mjs';
import { neighbours } from './neighbours.mjs';
import { otp } from './otp.mjs';
import { readonly } from './readonly.mjs';
import { replicas } from './replicas.mjs';
import { restore } from './restore.mjs';
import { rolling } from './rolling.mjs';
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
  'cold-start': coldStart,
  rolling,
  alerts,
  replicas,
  restore,
  mixed,
};

/**
 * One installation goes through these, most of it the light load of `slope`, while another one goes through all the
 * rest: both take about as long.
 */
const BESIDE = ['slope', 'idempotency', 'credits', 'otp', 'secrets'];

/**
 * Not in `npm test`, since they take minutes: twelve restarts under load, one after the other; two processes of each
 * service; a restore, which also needs PostgreSQL's own programs for dumps; every alert and its runbook; two versions of
 * each service, one of which is built first.
 */
const BY_HAND = ['rolling', 'replicas', 'restore', 'alerts', 'mixed'];

/**
 * The names of the commands as `npm test` runs their short forms: each list one after the other on an installation of
 * its own, the lists side by side.
 */
export const shortLanes = [
  BESIDE,
  Object.keys(COMMANDS).filter((name) => !BESIDE.includes(name) && !BY_HAND.includes(name)),
];
