import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Directory of cgroup v1. Linux provides either v1 or v2. */
const FIRST = '/sys/fs/cgroup/cpu';
const SECOND = '/sys/fs/cgroup';
/** Period of the limit, short so that a throttled process waits briefly instead of a tenth of a second. */
const PERIOD_MICROSECONDS = 20_000;

/** Limits each process to a share of a core, like a container's CPU limit. */
export class CpuShares {
  private readonly folders: string[] = [];

  /** @param cores share of each process, e.g. 0.33 */
  limit(pid: number, cores: number): void {
    const quota = Math.round(PERIOD_MICROSECONDS * cores);
    const isFirst = existsSync(join(FIRST, 'cpu.cfs_quota_us'));
    const folder = join(isFirst ? FIRST : SECOND, `switchboard-bench-${pid}`);
    try {
      if (!isFirst) writeFileSync(join(SECOND, 'cgroup.subtree_control'), '+cpu');
      mkdirSync(folder);
      this.folders.push(folder);
      if (isFirst) {
        writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD_MICROSECONDS));
        writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quota));
      } else writeFileSync(join(folder, 'cpu.max'), `${quota} ${PERIOD_MICROSECONDS}`);
      writeFileSync(join(folder, 'cgroup.procs'), String(pid));
    } catch (error) {
      const message =
        'this benchmark limits the CPU of processes: it needs Linux, and the right to make control groups';
      throw new Error(message, { cause: error });
    }
  }

  /** Removes all limits. */
  end(): void {
    for (const folder of this.folders.splice(0)) {
      const parent = join(folder, '..', 'cgroup.procs');
      for (const pid of readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean))
        writeFileSync(parent, pid);
      rmdirSync(folder);
    }
  }
}
