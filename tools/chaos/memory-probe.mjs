// @ts-check
// Preloaded into every chaos test program (NODE_OPTIONS). On SIGUSR2 it collects all garbage and writes the remaining
// memory to a file. Without this, the heap would grow between collections, and at a low load the next one may be an
// hour away.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const folder = process.env['MEMORY_PROBE_DIR'];

if (isMainThread && folder !== undefined) {
  setFlagsFromString('--expose_gc');
  const collect = /** @type {() => void} */ (runInNewContext('gc'));
  process.on('SIGUSR2', () => {
    collect();
    collect(); // V8 frees array buffers concurrently, and a second collection waits for that
    const { rss, heapUsed, external } = process.memoryUsage();
    const { code_and_metadata_size: machineCode, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics();
    const code = machineCode + bytecode;
    const file = join(folder, `${process.pid}.json`);
    writeFileSync(
      `${file}.part`,
      JSON.stringify({ rss, data: heapUsed - code, code, external, handles: process.getActiveResourcesInfo().length }),
    );
    renameSync(`${file}.part`, file);
  });
}
