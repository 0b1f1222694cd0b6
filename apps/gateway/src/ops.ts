import { userInfo } from 'node:os';
import { readOpsSettings } from './config';
import { runOps } from './ops/run';

process.exitCode = await runOps(process.argv.slice(2), {
  settings: readOpsSettings(),
  actor: `cli:${userInfo().username}`,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
