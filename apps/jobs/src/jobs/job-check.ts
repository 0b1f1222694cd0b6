import { Injectable } from '@nestjs/common';
import {
  AppError,
  CHECKED_RECIPIENTS_MAX,
  ERRORS,
  type CheckJobReply,
  PERSON_KEYS_MAX,
  inParts,
  type MessageContent,
  PART_BYTES,
  type RecipientComponents,
  type RecipientFault,
  type SpendLimit,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { variablesOfTemplate } from './row-components';

/** Facts about a job that can be sent. */
export interface CheckedJob extends Pick<CheckJobReply, 'phoneNumber' | 'throughput' | 'template'> {
  /** Why recipients without components of their own cannot be messaged. */
  ownFault?: RecipientFault;
  /** Numbers that can send, if the job has several. The other fields describe the first of them. */
  numbers?: readonly NumberFacts[];
}

/** Number that can send for a job, with its throughput. */
export type NumberFacts = Pick<CheckJobReply, 'phoneNumber' | 'throughput'>;

/** Further checks of a job. */
export interface CheckOptions {
  /** Bypasses messaging's template cache, to see a change that has just paused the job. */
  freshTemplate?: boolean;
  /** Spend cap of the job. */
  maxSpend?: SpendLimit | null;
  /** ID of a job to resume. Its spend caps must leave enough for at least one message. */
  resumedId?: string;
  /** Next recipients of that job, and the time at which it will send to them. */
  nextRecipients?: readonly string[];
  at?: Date;
}

/** Checks with the messaging service whether a job can be sent. */
@Injectable()
export class JobCheck {
  constructor(private readonly messaging: MessagingClient) {}

  /**
   * Returns the number, its throughput and the template. Returns a fault in the message's own components instead of
   * throwing it, because every recipient may have components of its own.
   * @throws AppError with the error of a send: TEMPLATE_NOT_FOUND, TEMPLATE_NOT_APPROVED, an error of the number,
   * UNAVAILABLE; INVALID_VALUE or SPEND_CAP_REACHED because of a spend cap
   */
  async check(
    accountId: string,
    message: MessageContent,
    { freshTemplate = false, maxSpend, resumedId, nextRecipients = [], at }: CheckOptions = {},
  ): Promise<CheckedJob> {
    const recipients = message.template ? [{ components: message.template.components ?? [] }] : undefined;
    const { phoneNumber, throughput, template, faults, hasSpendCaps } = await this.messaging.checkJob({
      accountId,
      message,
      recipients,
      ...(freshTemplate && { freshTemplate }),
      ...(maxSpend && { maxSpend }),
      ...(resumedId !== undefined && { jobId: resumedId }),
      ...(nextRecipients.length > 0 && { nextRecipients: [...nextRecipients] }),
      ...(at && { at: at.toISOString() }),
    });
    // The previous version of the messaging service ignores caps and would send without one.
    if (maxSpend && !hasSpendCaps) throw new AppError('UNAVAILABLE');
    return { phoneNumber, throughput, template, ownFault: faults[0] };
  }

  /**
   * Checks every number like `check`, because the numbers' templates may belong to different business accounts.
   * @throws AppError the error of the first number that cannot send, with the number in its message
   */
  async checkNumbers(
    accountId: string,
    message: MessageContent,
    { numbers = [], maxSpend }: Pick<CheckOptions, 'maxSpend'> & { numbers?: readonly string[] },
  ): Promise<CheckedJob> {
    if (numbers.length < 2) return this.check(accountId, message, { maxSpend });
    const { checked, faults } = await this.checkEach(accountId, message, numbers, { maxSpend });
    const [fault] = faults.values();
    if (fault) throw fault;
    return checked;
  }

  /**
   * Checks several numbers and tolerates some that cannot send.
   * @returns the numbers that can send, and the errors of the others by number
   * @throws AppError the first error if no number can send; an error of the spend cap; UNAVAILABLE
   */
  async checkEach(
    accountId: string,
    message: MessageContent,
    numbers: readonly string[],
    options: CheckOptions = {},
  ): Promise<{ checked: CheckedJob; faults: Map<string, AppError> }> {
    const faults = new Map<string, AppError>();
    const able: CheckedJob[] = [];
    for (const from of numbers) {
      try {
        const checked = await this.check(accountId, { ...message, from }, options);
        requireSameVariables(able[0], checked);
        able.push(checked);
      } catch (error) {
        if (!(error instanceof AppError) || concernsAllNumbers(error)) throw error;
        faults.set(from, named(from, error));
      }
    }
    const [first] = able;
    if (!first) throw [...faults.values()][0] ?? new Error('no number was given');
    return { checked: { ...first, numbers: able }, faults };
  }

  /** Returns the faults in recipients' components by index. */
  async faultsOf(
    accountId: string,
    message: MessageContent,
    recipients: readonly RecipientComponents[],
  ): Promise<Map<number, RecipientFault>> {
    const found = new Map<number, RecipientFault>();
    let from = 0;
    for (const part of inParts(recipients, { items: CHECKED_RECIPIENTS_MAX, bytes: PART_BYTES })) {
      const { faults } = await this.messaging.checkJob({ accountId, message, recipients: part });
      for (const fault of faults) found.set(from + fault.index, fault);
      from += part.length;
    }
    return found;
  }

  /** Returns the keys of the contacts with these user ids, without unknown ones. */
  async keysOfUsers(accountId: string, userIds: readonly string[]): Promise<Map<string, string>> {
    const keys = new Map<string, string>();
    const asked = [...new Set(userIds)];
    while (asked.length > 0) {
      const part = asked.splice(0, PERSON_KEYS_MAX);
      const { people } = await this.messaging.getPersonKeys({ accountId, userIds: part });
      for (const { userId, key } of people) keys.set(userId, key);
    }
    return keys;
  }
}

/** @throws AppError TEMPLATE_PARAMS_MISMATCH if the variables differ from those of the first number's template */
function requireSameVariables(first: CheckedJob | undefined, { template }: CheckedJob): void {
  if (!first?.template || !template) return;
  const keysOf = (facts: NonNullable<CheckedJob['template']>): string =>
    variablesOfTemplate(facts)
      .map(({ key }) => key)
      .join('\n');
  if (keysOf(first.template) === keysOf(template)) return;
  throw new AppError('TEMPLATE_PARAMS_MISMATCH', {
    message: `${ERRORS.TEMPLATE_PARAMS_MISMATCH.message}: its variables differ from those of ${first.phoneNumber}`,
  });
}

/** Returns whether the error is about the service or the job's spend cap instead of a number. */
function concernsAllNumbers({ code, details }: AppError): boolean {
  if (code === 'UNAVAILABLE' || code === 'SPEND_CAP_REACHED') return true;
  return details?.some(({ field }) => field === 'maxSpend') ?? false;
}

/** Returns the error with the phone number prepended to its message. */
function named(phoneNumber: string, error: AppError): AppError {
  const message = `${phoneNumber}: ${error.message}`;
  return new AppError(error.code, { message, details: [{ field: 'from', message }], cause: error });
}
