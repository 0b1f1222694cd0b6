import type { UpstreamMessagesValue, UpstreamPreference } from '@switchboard/upstream';
import { upstreamTime } from './upstream-time';

/** What somebody told the upstream platform about marketing messages. */
export interface UpstreamWish {
  phone: string | null;
  userId: string | null;
  name: null;
  refuses: boolean;
  /** ISO 8601. */
  at: string;
}

const CATEGORY = 'marketing_messages';

/** The wishes of a callback, in its order; other categories and values are left out. */
export function readPreferences(value: UpstreamMessagesValue, now: Date): UpstreamWish[] {
  return (value.user_preferences ?? []).flatMap((preference: Partial<UpstreamPreference>): UpstreamWish[] => {
    const { wa_id: phone, user_id: userId, category, value: wish, timestamp } = preference;
    const isNamed = isText(phone) || isText(userId);
    if (!isNamed || category !== CATEGORY || (wish !== 'stop' && wish !== 'resume')) return [];
    return [
      {
        phone: isText(phone) ? phone : null,
        userId: isText(userId) ? userId : null,
        name: null,
        refuses: wish === 'stop',
        at: upstreamTime(timestamp, now),
      },
    ];
  });
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
