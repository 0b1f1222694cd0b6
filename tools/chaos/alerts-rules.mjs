// @ts-check
import { parse, stringify } from 'yaml';

/**
 * Divisor for every duration in the rules: `for`, range windows and group intervals. A window must stay longer than the
 * 15 s between backlog counts of the services. The 15 minutes of QueueGrowing become 30 s.
 */
export const SHORTER = 30;

/**
 * Thresholds that are long ages themselves and are divided in the same way. All other thresholds keep their production
 * values: 60 s in the outbox, 10 s late, 1000 messages, 14 days of a certificate, 45 days of partitions.
 * @type {{ alert: string, from: string, to: string }[]}
 */
const BOUNDS = [
  { alert: 'LoopStalled', from: ', 900)', to: `, ${900 / SHORTER})` },
  { alert: 'TemplateSyncOld', from: '> 3600', to: `> ${3600 / SHORTER}` },
];

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** @typedef {{ alert?: string, record?: string, expr: string, for?: string }} Rule */

/**
 * Returns the rules with shortened durations.
 * @param {string} text content of a rule file
 * @returns {string}
 */
export function shortened(text) {
  const { groups } = /** @type {{ groups: { interval?: string, rules: Rule[] }[] }} */ (parse(text));
  for (const group of groups) {
    if (group.interval) group.interval = shorter(group.interval);
    group.rules = group.rules.map(shortenedRule);
  }
  return stringify({ groups }, { lineWidth: 0 });
}

/** @returns {Rule} */
function shortenedRule(/** @type {Rule} */ rule) {
  const expr = rule.expr.replace(/\[(\d+[smhd])\]/g, (_all, window) => `[${shorter(window)}]`);
  return {
    ...rule,
    expr: BOUNDS.filter(({ alert }) => alert === rule.alert).reduce(withBound, expr),
    ...(rule.for && { for: shorter(rule.for) }),
  };
}

function withBound(
  /** @type {string} */ expr,
  /** @type {{ alert: string, from: string, to: string }} */ { alert, from, to },
) {
  if (!expr.includes(from)) throw new Error(`${alert} has no bound "${from}" any more`);
  return expr.replace(from, () => to);
}

/** @returns {string} duration in seconds */
function shorter(/** @type {string} */ duration) {
  const [, number, unit] = /^(\d+)([smhd])$/.exec(duration) ?? [];
  if (unit === undefined) throw new Error(`no duration: ${duration}`);
  return `${Math.ceil((Number(number) * SECONDS[/** @type {keyof typeof SECONDS} */ (unit)]) / SHORTER)}s`;
}
