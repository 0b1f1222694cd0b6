import {
  type JobMessageChange,
  newId,
  type SendJobMessagesV1,
  sendJobMessagesV1,
  templateSample,
} from '@switchboard/contracts';
import { counter } from '@switchboard/platform';
import { eventually } from '@switchboard/testing';
import type { RunningMessaging, TestAccount } from './start-messaging';

/** Template with one variable, which every recipient fills. */
export const orderUpdate = { ...templateSample, components: [{ type: 'BODY', text: 'Your order {{1}} has shipped.' }] };

export const body = (text: string) => [{ type: 'body', parameters: [{ type: 'text' as const, text }] }];

/** Message of `orderUpdate`. */
export const orderMessage = (account: TestAccount): SendJobMessagesV1['message'] => ({
  type: 'template',
  from: account.phoneNumber,
  template: { name: orderUpdate.name, language: { code: 'en_US' }, components: body('A-17') },
});

/** Returns recipients without earlier messages. */
export function recipients(count: number): SendJobMessagesV1['recipients'] {
  return Array.from({ length: count }, (_none, index) => ({
    messageId: newId('msg'),
    to: `9198${String(10_000_000 + ((Date.now() + index * 7_919) % 90_000_000))}`,
  }));
}

export interface Release {
  task: SendJobMessagesV1;
  ids: string[];
  /** Enqueues the same task again, as the broker does after a failure or the job does. */
  again(options?: { messageId?: string }): Promise<void>;
  /** Id of the broker message. */
  messageId: string;
}

/** Enqueues a task as the jobs service does. */
export async function release(
  messaging: RunningMessaging,
  account: TestAccount,
  more: Partial<SendJobMessagesV1> = {},
): Promise<Release> {
  const task = {
    accountId: account.accountId,
    jobId: newId('job'),
    message: orderMessage(account),
    recipients: recipients(3),
    ...more,
  };
  const messageId = newId('evt');
  await messaging.gateway.enqueue(sendJobMessagesV1, task, { messageId });
  return {
    task,
    messageId,
    ids: task.recipients.map((recipient) => recipient.messageId),
    again: (options) => messaging.gateway.enqueue(sendJobMessagesV1, task, options),
  };
}

/** Returns all changes reported to a job, in order of arrival. */
export function changesOf(messaging: RunningMessaging, jobId: string): JobMessageChange[] {
  return messaging.jobEvents.filter((event) => event.jobId === jobId).flatMap(({ changes }) => changes);
}

/** Waits until the given number of changes was reported to a job. */
export async function told(
  messaging: RunningMessaging,
  jobId: string,
  count: number,
  options?: { timeoutMs: number },
): Promise<JobMessageChange[]> {
  await eventually(() => expect(changesOf(messaging, jobId).length).toBe(count), options);
  return changesOf(messaging, jobId);
}

/** Returns the number of task deliveries handled in this process. */
export async function countTasks(outcome: 'handled' | 'failed' = 'handled'): Promise<number> {
  const { values } = await counter('broker_deliveries_total', '', { contract: [], outcome: [] }).get();
  return (
    values.find(({ labels }) => labels.contract === sendJobMessagesV1.name && labels.outcome === outcome)?.value ?? 0
  );
}
