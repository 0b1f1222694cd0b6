// @ts-check
import { alerts } from './alerts.mjs';
import { away } from './away.mjs';
import { brokerCluster } from './broker-cluster.mjs';
import { bulk } from './bulk.mjs';
import { caps } from './caps.mjs';
import { coldStart } from './cold-start.mjs';
import { credits } from './credits.mjs';
import { databaseFailover } from './database-failover.mjs';
import { fuzz } from './fuzz.mjs';
import { idempotency } from './idempotency.mjs';
import { mixed } from './mixed.mjs';
import { neighbours } from './neighbours.mjs';
import { otp } from './otp.mjs';
import { pointInTime } from './point-in-time.mjs';
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
 * Every chaos test by name, in the order of execution.
 * @type {Record<string, import('./chaos-test.mjs').AnyChaosTest>}
 */
export const COMMANDS = {
  send,
  truth,
  idempotency,
  credits,
  caps,
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
  'point-in-time': pointInTime,
  mixed,
  'broker-cluster': brokerCluster,
  'database-failover': databaseFailover,
};

/** Tests whose short form runs in every `npm test`. `npm run chaos -- all --short` runs all short forms. */
export const IN_EVERY_TEST = ['send', 'broker-cluster'];

/** Tests whose short form CI adds to the core proofs: webhooks, jobs and one-time passwords. */
export const IN_CORE_PROOFS = ['webhooks', 'bulk', 'otp'];
