/** Running loop iterations: name, and the time at which each is overdue, on the clock of `performance.now()`. */
const turns = new Set<{ name: string; overdueAt: number }>();

/**
 * Watches one iteration of a loop. If the iteration does not end in time, `/live` fails, so that the process is
 * restarted.
 * @param maxMs longer than any iteration that makes progress, in milliseconds
 * @returns a function to call when the iteration has ended
 */
export function watchTurn(name: string, maxMs: number): () => void {
  const turn = { name, overdueAt: performance.now() + maxMs };
  turns.add(turn);
  return () => turns.delete(turn);
}

export function stuckLoops(): string[] {
  const now = performance.now();
  return [...new Set([...turns].filter(({ overdueAt }) => overdueAt < now).map(({ name }) => name))];
}
