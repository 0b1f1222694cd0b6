import { Injectable } from '@nestjs/common';
import {
  ESTIMATED_SENDS_MAX,
  type GetSendingCapacityCommand,
  type GetSendingCapacityReply,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import type { CheckedJob } from '../jobs/job-check';
import type { EstimatedRecipient, EstimateTally } from './estimate-tally';

/** Messages of a job. */
export interface EstimatedSends {
  accountId: string;
  /** Number to send from, or the first of several. */
  from: string;
  numbers?: readonly string[];
  /** Category of the template; absent for other messages. */
  category?: string;
  /** Time of the sends in ISO 8601. */
  at: string;
  /** True if the job has a spend cap. */
  isCapped: boolean;
}

/** Returns the sends of a checked job at a time. */
export function sendsOf(
  { phoneNumber: from, template, numbers }: CheckedJob,
  job: { accountId: string; at: string; isCapped: boolean },
): EstimatedSends {
  return {
    ...job,
    from,
    ...(numbers && { numbers: numbers.map(({ phoneNumber }) => phoneNumber) }),
    ...(template && { category: template.category }),
  };
}

/** Requests the expected prices of a job's messages from messaging. */
@Injectable()
export class SendEstimator {
  constructor(private readonly messaging: MessagingClient) {}

  /** Adds the expected prices and failures of recipients to the tally. */
  async add(
    tally: EstimateTally,
    { numbers, isCapped, ...sends }: EstimatedSends,
    recipients: readonly EstimatedRecipient[],
  ): Promise<void> {
    for (let from = 0; from < recipients.length; from += ESTIMATED_SENDS_MAX) {
      const part = recipients.slice(from, from + ESTIMATED_SENDS_MAX);
      const reply = await this.messaging.estimateSends({
        ...sends,
        ...(numbers && { numbers: [...numbers] }),
        ...(isCapped && { isCapped }),
        recipients: part.map(({ phone }) => phone),
      });
      tally.add(part, reply);
    }
  }

  /** Returns the limits of the job's numbers and their remaining free messages of the month. */
  capacityOf(
    { accountId, from, numbers = [from], at }: EstimatedSends,
    options: Pick<GetSendingCapacityCommand, 'skipsRemaining'> = {},
  ): Promise<GetSendingCapacityReply> {
    return this.messaging.getSendingCapacity({ accountId, numbers: [...numbers], at, ...options });
  }
}
