/** What `npm run bench` passes to each benchmark. */
export interface BenchOptions {
  rabbitmqUrl: string;
  databaseUrl: string;
  /** Folder of the bundled programs. */
  programs: string;
  log(text: string): void;
  /** The checkout's own folder of data and secrets. */
  home: string;
  /** Where CPU profiles go; none when absent. */
  profileDir?: string;
  /** The environment of programs that the benchmark starts. */
  environment: Record<string, string>;
}
