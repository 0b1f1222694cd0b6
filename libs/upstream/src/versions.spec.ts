import { upstreamFields } from './upstream-fields';
import {
  DEFAULT_VERSION,
  PLATFORM_VERSIONS,
  servedVersion,
  TESTED_VERSIONS,
  versionProblem,
  versionState,
  VERSIONS_SOURCE,
  warnOfVersion,
} from './versions';

const on = (day: string): Date => new Date(`${day}T00:00:00Z`);

describe('platform versions', () => {
  it('lists each version once, newest first, with valid days', () => {
    const released = PLATFORM_VERSIONS.map((one) => one.released);
    expect(released).toEqual([...released].sort().reverse());
    expect(new Set(PLATFORM_VERSIONS.map(({ version }) => version)).size).toBe(PLATFORM_VERSIONS.length);
    for (const day of PLATFORM_VERSIONS.flatMap((one) => [one.released, one.ends ?? one.released]))
      expect(on(day).toISOString().slice(0, 10)).toBe(day);
    expect(Date.parse(VERSIONS_SOURCE.read)).toBeGreaterThan(Date.parse(released[0] ?? ''));
  });

  it('uses a tested version by default', () => {
    expect(TESTED_VERSIONS).toContain(DEFAULT_VERSION);
    expect(upstreamFields.UPSTREAM_API_VERSION.parse(undefined)).toBe(DEFAULT_VERSION);
    for (const version of TESTED_VERSIONS) expect(PLATFORM_VERSIONS.map((one) => one.version)).toContain(version);
  });

  it.each([
    ['v24.0', '2027-11-19', 'supported'],
    ['v24.0', '2027-11-20', 'ending'],
    ['v24.0', '2028-02-17', 'ending'],
    ['v24.0', '2028-02-18', 'ended'],
    ['v26.0', '2035-01-01', 'supported'],
    ['v23.0', '2026-11-28', 'untested'],
    ['v20.0', '2026-09-23', 'ending'],
    ['v20.0', '2026-09-24', 'ended'],
    ['v15.0', '2026-11-28', 'unknown'],
    ['v27.0', '2026-11-28', 'unknown'],
  ])('reports %s on %s as %s', (version, day, state) => {
    expect(versionState(version, on(day)).state).toBe(state);
  });

  it.each([
    ['v24.0', '2026-11-28', 'v24.0'],
    ['v20.0', '2026-11-28', 'v21.0'],
    ['v12.0', '2026-11-28', 'v21.0'],
    ['v2.12', '2026-11-28', 'v21.0'],
    ['v20.0', '2027-05-20', 'v23.0'],
    ['v27.0', '2026-11-28', undefined],
    ['v24.1', '2026-11-28', undefined],
    ['v26.0', '2026-07-28', undefined],
  ])('serves calls of %s on %s with %s', (version, day, served) => {
    expect(servedVersion(version, on(day))).toBe(served);
  });

  it('describes a version that needs attention', () => {
    expect(versionProblem('v24.0', on('2026-11-28'))).toBeUndefined();
    expect(versionProblem('v24.0', on('2028-01-01'))).toBe('v24.0 ends on 2028-02-18, in 48 days');
    expect(versionProblem('v20.0', on('2026-11-28'))).toBe(
      'v20.0 ended on 2026-09-24; the platform treats its calls as v21.0',
    );
    expect(versionProblem('v99.0', on('2026-11-28'))).toContain('v99.0 is not in the table of versions');
    expect(versionProblem('v23.0', on('2026-11-28'))).toContain('not one of the tested versions v24.0, v25.0, v26.0');
  });

  it('logs a version that needs attention when a service starts', () => {
    const warn = jest.fn();
    warnOfVersion('v24.0', { warn }, on('2026-11-28'));
    expect(warn).not.toHaveBeenCalled();
    warnOfVersion('v20.0', { warn }, on('2026-11-28'));
    const problem = expect.stringContaining('v20.0 ended on 2026-09-24') as string;
    expect(warn.mock.calls).toEqual([
      [{ version: 'v20.0', state: 'ended', ends: '2026-09-24', problem }, 'upstream.version'],
    ]);
  });
});
