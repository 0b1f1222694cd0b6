import type { Logger } from '@switchboard/platform';

/** Version of the platform's API. All days are in UTC. */
export interface PlatformVersion {
  version: string;
  /** Day of the release. */
  released: string;
  /** First day on which the version no longer works; null if not announced. */
  ends: string | null;
}

/** Source of the table below, and the day on which it was read. */
export const VERSIONS_SOURCE = {
  page: 'https://developers.facebook.com/docs/graph-api/changelog/versions/',
  read: '2026-11-28',
} as const;

/** Versions since v16.0, newest first. All earlier versions have ended. */
export const PLATFORM_VERSIONS: readonly PlatformVersion[] = [
  { version: 'v26.0', released: '2026-07-29', ends: null },
  { version: 'v25.0', released: '2026-02-18', ends: '2028-07-29' },
  { version: 'v24.0', released: '2025-10-08', ends: '2028-02-18' },
  { version: 'v23.0', released: '2025-05-29', ends: '2027-10-08' },
  { version: 'v22.0', released: '2025-01-21', ends: '2027-05-20' },
  { version: 'v21.0', released: '2024-10-02', ends: '2027-01-21' },
  { version: 'v20.0', released: '2024-05-21', ends: '2026-09-24' },
  { version: 'v19.0', released: '2024-01-23', ends: '2026-05-21' },
  { version: 'v18.0', released: '2023-09-12', ends: '2026-01-26' },
  { version: 'v17.0', released: '2023-05-23', ends: '2025-09-12' },
  { version: 'v16.0', released: '2023-02-02', ends: '2025-05-14' },
];

export const DEFAULT_VERSION = 'v24.0';
/** Versions against which the tests run all documented requests. */
export const TESTED_VERSIONS: readonly string[] = ['v24.0', 'v25.0', 'v26.0'];

/** Days before the end of a version at which warnings start. */
const WARNING_DAYS = 90;
const DAY_MS = 86_400_000;

export type VersionState =
  | { state: 'supported' | 'untested'; ends: string | null }
  /** `days`: full days until the version ends. */
  | { state: 'ending'; ends: string; days: number }
  | { state: 'ended'; ends: string }
  | { state: 'unknown' };

/** Returns the state of a version at a given time. */
export function versionState(version: string, now: Date): VersionState {
  const known = PLATFORM_VERSIONS.find((one) => one.version === version);
  if (!known) return { state: 'unknown' };
  const { ends } = known;
  if (ends !== null) {
    const left = Date.parse(ends) - now.getTime();
    if (left <= 0) return { state: 'ended', ends };
    if (left <= WARNING_DAYS * DAY_MS) return { state: 'ending', ends, days: Math.floor(left / DAY_MS) };
  }
  return { state: TESTED_VERSIONS.includes(version) ? 'supported' : 'untested', ends };
}

/**
 * Returns the version with which the platform serves a call: the requested one or, if that has ended, the oldest usable
 * one. Returns undefined for a version that the platform has not published.
 */
export function servedVersion(version: string, now: Date): string | undefined {
  const oldest = PLATFORM_VERSIONS.findLast((one) => versionState(one.version, now).state !== 'ended');
  const known = PLATFORM_VERSIONS.find((one) => one.version === version);
  if (!known) return EARLIER_VERSION.test(version) ? oldest?.version : undefined;
  if (Date.parse(known.released) > now.getTime()) return undefined;
  return versionState(version, now).state === 'ended' ? oldest?.version : version;
}

/** Matches versions before the first one in the table. */
const EARLIER_VERSION = /^v(2\.([0-9]|1[0-2])|3\.[0-3]|([4-9]|1[0-5])\.0)$/;

/** Describes why a version needs attention; undefined for a supported version. */
export function versionProblem(version: string, now: Date): string | undefined {
  const found = versionState(version, now);
  switch (found.state) {
    case 'supported':
      return undefined;
    case 'untested':
      return `${version} is not one of the tested versions ${TESTED_VERSIONS.join(', ')}`;
    case 'ending':
      return `${version} ends on ${found.ends}, in ${found.days} days`;
    case 'ended':
      return `${version} ended on ${found.ends}; the platform treats its calls as ${servedVersion(version, now)}`;
    case 'unknown':
      return `${version} is not in the table of versions, which was read on ${VERSIONS_SOURCE.read}`;
  }
}

/** Logs a warning at service startup if the version needs attention. */
export function warnOfVersion(version: string, logger: Pick<Logger, 'warn'>, now: Date): void {
  const problem = versionProblem(version, now);
  if (problem !== undefined) logger.warn({ version, ...versionState(version, now), problem }, 'upstream.version');
}
