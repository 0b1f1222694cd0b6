import type { Schemas } from '../../api/client';

type Notice = Schemas['AccountNotice'];

/** Maximum age of a notice that needs attention, in milliseconds. */
const RECENT_MS = 14 * 86_400_000;

/** Returns the topic of a notice. Only the latest notice per topic counts. */
function topicOf({ notice, wabaId, phoneNumbers }: Notice): string | undefined {
  if (notice === 'name') return `name:${phoneNumbers.join()}`;
  if (['disabled', 'disable_scheduled', 'reinstated'].includes(notice)) return `state:${wabaId}`;
  return notice === 'restriction' || notice === 'review' ? `${notice}:${wabaId}` : undefined;
}

/**
 * Returns the notices that need attention, newest first.
 * @param notices in any order
 * @param now Unix time in milliseconds
 */
export function openNotices(notices: readonly Notice[], now: number): Notice[] {
  const newestFirst = notices.toSorted((one, other) => Date.parse(other.timestamp) - Date.parse(one.timestamp));
  const topics = new Set<string>();
  return newestFirst.filter((notice) => {
    const topic = topicOf(notice);
    const isSuperseded = topic !== undefined && topics.has(topic);
    if (topic !== undefined) topics.add(topic);
    // A reinstatement also lifts earlier restrictions.
    if (notice.notice === 'reinstated') topics.add(`restriction:${notice.wabaId}`);
    if (isSuperseded || notice.severity === 'info') return false;
    const ends = notice.restrictions.map(({ until }) => (until === null ? Infinity : Date.parse(until)));
    if (ends.length > 0) return Math.max(...ends) > now;
    return now - Date.parse(notice.timestamp) < RECENT_MS;
  });
}
