/**
 * Turns of loops that are under way: what each is called, and when it has taken too long, on the clock of
 * `performance.now()`.
 */
const turns = new Set<{ name: string; overdueAt: number }>();

/**
 * Watches one turn of a loop: a turn that does not end in time makes `/live` fail, so that the process is started anew.
 * @param maxMs longer than the turn ever takes while it makes progress, in milliseconds
 * @returns what to call when the turn has ended
 */
export function watchTurn(name: string, maxMs: number): () => void {
  const turn = { name, overdueAt: performance.now() + maxMs };
  turns.add(turn);
  return () => turns.delete(turn);
}

/** The names of loops whose turn hangs. */
export function stuckLoops(): string[] {
  const now = performance.now();
  return [...new Set([...turns].filter(({ overdueAt }) => overdueAt < now).map(({ name }) => name))];
}
