import { userInfo } from 'node:os';
import { limitHostLookups, readCliSettings } from './config';
import { runCli } from './cli/run';
import { apiRoutes } from './reference/api-routes';

limitHostLookups();
const exitCode = await runCli(process.argv.slice(2), {
  settings: readCliSettings(),
  actor: `cli:${userInfo().username}`,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  input: process.stdin,
  apiRoutes,
  columns: process.stdout.columns,
  startedAt: 0,
  untilEnded: () => {
    const ended = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ended.abort());
    return ended.signal;
  },
});
// Node 20 sometimes does not exit after a broker connection, because its cleanup waits for a request that has already
// ended.
process.exit(exitCode);
