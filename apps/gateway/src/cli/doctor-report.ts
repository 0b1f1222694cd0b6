import { Help } from 'commander';
import type { Finding } from './doctor-findings';

/** States in the order of the report, most urgent first. */
const STATES = ['problem', 'warning', 'skipped', 'ok'] as const;
const GAP = '  ';
/** Minimum width of the findings column; in a narrower terminal lines are not wrapped. */
const MIN_WIDTH = 20;

/**
 * Renders the findings: a summary, then a table with the problems first. Each finding is followed by its advice.
 * @param columns width of the terminal; if absent, each finding is one line
 */
export function doctorReport(findings: readonly Finding[], columns?: number): string {
  const help = Object.assign(new Help(), { minWidthToWrap: MIN_WIDTH });
  const sorted = STATES.flatMap((state) => findings.filter((finding) => finding.state === state));
  const widths = [widest(STATES), widest(findings.map(({ check }) => check))];
  const margin = ' '.repeat(widths.reduce((sum, width) => sum + width + GAP.length, 0));
  const wrap = (text: string, indent = 0): string[] =>
    help.boxWrap(text, (columns ?? Number.POSITIVE_INFINITY) - indent).split('\n');
  const rows = sorted.flatMap(({ state, check, finding, advice }) => {
    const [first = '', ...rest] = [finding, advice].filter(Boolean).flatMap((text) => wrap(text, margin.length));
    const head = [state, check].map((cell, column) => cell.padEnd(widths[column] ?? 0) + GAP).join('');
    return [`${head}${first}`, ...rest.map((line) => `${margin}${line}`)];
  });
  return [...summaryOf(findings).flatMap((line) => wrap(line)), '', ...rows].map((line) => `${line}\n`).join('');
}

function summaryOf(findings: readonly Finding[]): string[] {
  const checksOf = (state: Finding['state']): string[] =>
    findings.filter((finding) => finding.state === state).map(({ check }) => check);
  const named = (state: 'problem' | 'warning'): string[] => {
    const checks = checksOf(state);
    if (checks.length === 0) return [];
    return [`${checks.length} ${state}${checks.length === 1 ? '' : 's'}: ${checks.join(', ')}`];
  };
  const skipped = checksOf('skipped').length;
  const rest = `${checksOf('ok').length} ok${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  return [...(checksOf('problem').length === 0 ? ['No problem found'] : named('problem')), ...named('warning'), rest];
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => text.length));
}
