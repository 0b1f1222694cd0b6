import { IsInt, IsString, Matches } from 'class-validator';
import { BodySchema, Doc, IsTime, Nested, OrNull } from '../body-docs';

/** Time of day in 24-hour notation. */
export const TIME_OF_DAY_PATTERN = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;

const FAULT = { message: '$property must be a time of day such as 20:00' };

/**
 * Maximum length of quiet hours. The zones of a country differ by at most 10 hours, so that every country has at least
 * one hour per day in which no zone is quiet.
 */
export const QUIET_HOURS_MAX = 13;

/** Hours of the day, local to the recipient, in which a job sends nothing (spec §8.9). */
@BodySchema({ name: 'QuietHours', example: () => ({ from: '20:00', to: '08:00' }) })
export class QuietHours {
  @Doc('Start of the quiet hours, as the clock shows in the country of the recipient', { example: '20:00' })
  @IsString()
  @Matches(TIME_OF_DAY_PATTERN, FAULT)
  from: string;
  @Doc('End of the quiet hours. It may be before `from`: the quiet hours then include midnight', { example: '08:00' })
  @IsString()
  @Matches(TIME_OF_DAY_PATTERN, FAULT)
  to: string;
}

/** Quiet hours of a job, with the time zone of the account. */
export class JobQuietHours extends QuietHours {
  /** Time zone of recipients whose country or its time zones are unknown. */
  @IsString() timeZone: string;
}

/** Quiet hours of a job, and the recipients that wait for their end (spec §8.9.7). */
export class JobWaiting {
  @Doc('Quiet hours of the recipients; null if the job has none')
  @OrNull()
  @Nested(() => QuietHours)
  quietHours?: QuietHours | null;
  @Doc(
    'Number of recipients that wait for the end of their quiet hours now, or would wait if the job was started now, or at its `scheduledAt` if that is later. Null if the job has ended or has no quiet hours, and in lists',
  )
  @OrNull()
  @IsInt()
  waitingRecipients?: number | null;
  @Doc('Time at which the quiet hours of the next of these recipients end; null if no recipient waits')
  @OrNull()
  @IsTime()
  waitingUntil?: string | null;
}

/** Returns the minute of the day of a valid time of day. */
export function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** Returns the length of quiet hours in minutes; 0 if both times are the same. */
export function quietMinutes({ from, to }: QuietHours): number {
  return (minuteOfDay(to) - minuteOfDay(from) + 1_440) % 1_440;
}
