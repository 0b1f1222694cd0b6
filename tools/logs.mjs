// @ts-check
// npm run logs -- <service> [-f]: prints the end of a program's log. With -f, follows the log.
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { unlessGone } from './lib/json-file.mjs';
import { logFileOf, readFrom, sizeOf, tailOf } from './lib/log-files.mjs';

const LOOK_EVERY_MS = 250;
const [name] = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const known = (unlessGone(() => readdirSync(dirname(logFileOf('any')))) ?? [])
  .filter((file) => file.endsWith('.log'))
  .map((file) => file.slice(0, -4));

process.stdout.on('error', () => process.exit(0)); // The reader, such as `| head`, has closed the pipe.
if (name !== undefined && known.includes(name)) show(logFileOf(name));
else {
  const logs = known.join(', ') || 'none yet; npm start writes them, and npx nx serve prints its log in its terminal';
  process.stderr.write(`usage: npm run logs -- <service> [-f]\nlogs: ${logs}\n`);
  process.exitCode = 1;
}

function show(/** @type {string} */ path) {
  let position = sizeOf(path);
  process.stdout.write(tailOf(path));
  if (!process.argv.includes('-f')) return;
  setInterval(() => {
    const size = sizeOf(path);
    if (size < position) position = 0; // after a log rotation
    if (size > position) process.stdout.write(readFrom(path, position, size - position));
    position = size;
  }, LOOK_EVERY_MS);
}
