import type { UpstreamMessagesValue, UpstreamPreference } from '@switchboard/upstream';
import { upstreamTime } from '../upstream/upstream-time';

/** Opt-out or opt-in that a contact made on the upstream platform. */
export interface UpstreamOptOut {
  phone: string | null;
  userId: string | null;
  name: null;
  username: null;
  parentUserId: string | null;
  refuses: boolean;
  /** ISO 8601. */
  at: string;
}

const CATEGORY = 'marketing_messages';

/** Reads the opt-outs and opt-ins of a callback, in order. Skips unknown categories and values. */
export function readOptOuts(value: UpstreamMessagesValue, now: Date): UpstreamOptOut[] {
  return (value.user_preferences ?? []).flatMap((preference: Partial<UpstreamPreference>): UpstreamOptOut[] => {
    const {
      wa_id: phone,
      user_id: userId,
      parent_user_id: parentUserId,
      category,
      value: choice,
      timestamp,
    } = preference;
    const isNamed = isText(phone) || isText(userId);
    if (!isNamed || category !== CATEGORY || (choice !== 'stop' && choice !== 'resume')) return [];
    return [
      {
        phone: isText(phone) ? phone : null,
        userId: isText(userId) ? userId : null,
        name: null,
        username: null,
        parentUserId: isText(parentUserId) ? parentUserId : null,
        refuses: choice === 'stop',
        at: upstreamTime(timestamp, now),
      },
    ];
  });
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
