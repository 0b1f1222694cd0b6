/** Options that `npm run bench` passes to each benchmark. */
export interface BenchOptions {
  rabbitmqUrl: string;
  databaseUrl: string;
  /** Directory of the bundled programs. */
  programs: string;
  log(text: string): void;
  /** The checkout's own directory of data and secrets. */
  home: string;
  /** Directory for CPU profiles; none are written when absent. */
  profileDir?: string;
  /** Environment of programs that the benchmark starts. */
  environment: Record<string, string>;
}
