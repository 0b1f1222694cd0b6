/** Where text goes. */
export type Output = (text: string) => void;

/** Prints a result: JSON with `success` for programs, aligned lines for people. */
export function printResult(out: Output, result: object, json: boolean): void {
  out(json ? `${JSON.stringify({ success: true, ...result })}\n` : humanOf(result));
}

function humanOf(result: object): string {
  return Object.entries(result)
    .map(([name, value]) => (isRows(value) ? tableOf(value) : `${name}: ${cellOf(value)}\n`))
    .join('');
}

function isRows(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'object' && item !== null);
}

function tableOf(rows: Record<string, unknown>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => cellOf(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(String).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
