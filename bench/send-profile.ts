// Writes a CPU profile when a service exits. Loaded by NODE_OPTIONS, which does not allow `--cpu-prof`.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { basename, dirname, join } from 'node:path';

// eslint-disable-next-line no-restricted-properties -- no service reads this setting
const folder = process.env.BENCH_PROFILE_DIR ?? '.';
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.start');
process.once('exit', () => {
  session.post('Profiler.stop', (_error, { profile }) => {
    writeFileSync(
      join(folder, `${basename(dirname(process.argv[1] ?? ''))}-${process.pid}.cpuprofile`),
      JSON.stringify(profile),
    );
  });
});
