import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const HOME = (JSON.parse(process.env.E2E_ENVIRONMENT ?? '{}') as { SWITCHBOARD_HOME: string }).SWITCHBOARD_HOME;

describe('installation files', () => {
  it('are private to their owner: secrets, logs, media and broker data', () => {
    const found = everythingBelow(HOME);
    const names = found.map((path) => path.slice(HOME.length + 1));
    expect(names).toEqual(
      expect.arrayContaining(['demo.json', 'secrets.json', 'env.json', 'infra.json', 'logs/gateway.log']),
    );
    expect(found.filter((path) => (lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077)).toEqual([]);
  });

  it('never contain the demo API key in a log', () => {
    const { apiKey } = JSON.parse(readFileSync(join(HOME, 'demo.json'), 'utf8')) as { apiKey: string };
    const logs = readdirSync(join(HOME, 'logs'));
    expect(logs).toEqual(expect.arrayContaining(['supervisor.log', 'gateway.log']));
    expect(logs.filter((log) => readFileSync(join(HOME, 'logs', log), 'utf8').includes(apiKey))).toEqual([]);
  });
});

/** Lists a directory recursively. Excludes links, whose own mode has no effect. */
function everythingBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isSymbolicLink());
  return [
    folder,
    ...entries.flatMap((entry) =>
      entry.isDirectory() ? everythingBelow(join(folder, entry.name)) : [join(folder, entry.name)],
    ),
  ];
}
