import { Injectable } from '@nestjs/common';
import {
  type JobQuietHours,
  parseBody,
  QUIET_HOURS_MAX,
  QuietHours,
  quietMinutes,
  TIME_OF_DAY_PATTERN,
} from '@switchboard/contracts';
import { AccountsService } from '../accounts/accounts.service';
import { fieldError } from '../http/field-error';

/** API description of `quietHours`. */
export const QUIET_HOURS_DOC = `Hours of the day in which recipients get no message, local to the country of their phone number. These recipients wait until the quiet hours end. At most ${QUIET_HOURS_MAX} hours`;

/**
 * Parses `quietHours`: an object, or its JSON in a form.
 * @throws AppError INVALID_PARAMETER, INVALID_VALUE
 */
export function parseQuietHours(given: unknown): QuietHours | undefined {
  if (given === undefined) return undefined;
  const value: unknown = typeof given === 'string' ? parsed(given) : given;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fieldError('INVALID_PARAMETER', 'quietHours', 'quietHours must be an object with from and to');
  const { from, to } = value as Record<string, unknown>;
  const quiet = parseBody(QuietHours, { from: timeOf('from', from), to: timeOf('to', to) });
  const minutes = quietMinutes(quiet);
  if (minutes === 0)
    throw fieldError('INVALID_VALUE', 'quietHours.to', 'quietHours.to must differ from the start of the quiet hours');
  if (minutes > QUIET_HOURS_MAX * 60)
    throw fieldError(
      'INVALID_VALUE',
      'quietHours.to',
      `quietHours must be at most ${QUIET_HOURS_MAX} hours long, so that every country has hours to send in`,
    );
  return quiet;
}

function timeOf(name: 'from' | 'to', value: unknown): string {
  const field = `quietHours.${name}`;
  if (typeof value !== 'string' || !TIME_OF_DAY_PATTERN.test(value))
    throw fieldError('INVALID_VALUE', field, `${field} must be a time of day such as "20:00", from 00:00 to 23:59`);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Adds the time zone of the account to quiet hours. */
@Injectable()
export class QuietHoursService {
  constructor(private readonly accounts: AccountsService) {}

  /** Returns the field of a command; no field without quiet hours. An account without a time zone has UTC. */
  async ofAccount(accountId: string, quiet: QuietHours | undefined): Promise<{ quietHours?: JobQuietHours }> {
    if (!quiet) return {};
    const { timeZone } = await this.accounts.requireAccount(accountId);
    return { quietHours: { ...quiet, timeZone: timeZone ?? 'UTC' } };
  }
}
