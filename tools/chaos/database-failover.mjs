// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { chaosTest } from './chaos-test.mjs';
import { judgeFailover } from './guarantees.mjs';
import { runPhase } from './phases.mjs';

/** @typedef {import('./phases.mjs').Phase} Phase */
/** @typedef {import('../infra/postgres-pair.mjs').PostgresPair} PostgresPair */

/**
 * Proves guarantee 42 of ADR 41. Options: number of primary losses, seconds until the standby is promoted, sends per
 * second, sends between two incidents, and the factor on the guaranteed times.
 */
export const databaseFailover = chaosTest({
  about:
    'kills the primary of the database under load and promotes its synchronous standby; compares responses, sends, jobs, codes, callbacks and webhooks',
  takes: { long: '5 minutes', short: '1 minute' },
  long: { failovers: 3, away: 6, rate: 8, sends: 80, room: 1 },
  short: { failovers: 1, away: 3, rate: 4, sends: 20, room: 10 },
  redundancy: { standby: true },
  async run(installation, { failovers, away, rate, sends, room }) {
    const { pair } = installation;
    if (!pair) throw new Error('this installation has no standby of its database');
    let isKept = failovers > 0;
    for (let failover = 1; failover <= failovers; failover++) {
      const phase = failoverOf(pair, { title: `failover ${failover}`, away, room });
      isKept = (await runPhase(installation, phase, { rate, sends })) && isKept;
    }
    return isKept;
  },
});

/** @returns {Phase} */
function failoverOf(
  /** @type {PostgresPair} */ pair,
  /** @type {{ title: string, away: number, room: number }} */ { title, away, room },
) {
  return {
    title,
    async disturb({ incident, goOn }) {
      await incident('loss', 'primary killed', () => pair.killPrimary());
      await delay(away * 1_000);
      await incident('return', 'standby promoted', () => pair.promote());
      await goOn('on the promoted standby');
      await incident('return', 'old primary rejoined', () => pair.rejoin());
    },
    judge: (measured) => judgeFailover(measured, { room }),
    guarantee: 'the standby takes over within seconds, and nothing that was accepted is lost, doubled or untrue',
  };
}
