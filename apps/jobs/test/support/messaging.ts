import { type Broker, createBroker } from '@switchboard/broker';
import {
  AppError,
  accountSettingsSample,
  type AudienceMember,
  type CheckJobCommand,
  type EstimateSendsCommand,
  type EstimateSendsReply,
  estimateSendsV1,
  checkJobV1,
  type FailJobMessagesV1,
  failJobMessagesV1,
  getAccountSettingsV1,
  type GetSendReply,
  type GetSendingCapacityCommand,
  getSendingCapacityV1,
  getSendV1,
  mediaReferences,
  type GetPersonKeysCommand,
  getPersonKeysV1,
  type JobMessageChange,
  type ListAudienceCommand,
  type ListAudienceReply,
  listAudienceV1,
  jobMessagesChangedV1,
  type MessageContract,
  type SendJobMessagesV1,
  sendJobMessagesV1,
  type SpendCapRecord,
} from '@switchboard/contracts';
import { asAllSenders, sampleReply, silentLogger, startFakeService } from '@switchboard/testing';

export const NUMBER = '15550783881';
export type Outcome = Omit<JobMessageChange, 'messageId' | 'at'>;

/** Fake of the messaging service: a real consumer that records requests and returns configured replies. */
export class FakeMessaging {
  /** Every released recipient, in order of arrival. */
  readonly sent: {
    jobId: string;
    messageId: string;
    to: string;
    components?: unknown;
    clientRef?: string;
    from?: string;
    numbers?: string[];
    at: number;
  }[] = [];
  /** Messages that the fake was asked to record as failed. */
  readonly failed: FailJobMessagesV1[] = [];
  readonly checks: CheckJobCommand[] = [];
  /** Released tasks, in order of arrival. */
  readonly tasks: SendJobMessagesV1[] = [];
  /** If false, the fake acts like the previous version, which ignores spend caps. */
  hasSpendCaps = true;
  throughput = 1_000;
  /** Throughput by number; overrides `throughput`. */
  readonly throughputs = new Map<string, number>();
  /** Limits by number. */
  readonly limits = new Map<string, { portfolio: string; messagingLimit: number; remaining: number }>();
  /** Returns the error of `check-job` for a number. */
  faultOfNumber: (phoneNumber: string) => AppError | undefined = () => undefined;
  /** Spend cap of every account. */
  spendCap: SpendCapRecord | null = null;
  bodyVariables: string[] = [];
  /**
   * Components of the template. If absent, the fake acts like the previous version, which returns only the body's
   * variables.
   */
  components?: object[];
  /** Uploaded files that the account has. */
  readonly media = new Set<string>();
  /** Category of the template. */
  category = 'UTILITY';
  /** Keys of known people by user id. */
  readonly keysOfUsers = new Map<string, string>();
  /** Contacts of every audience. */
  audience: readonly AudienceMember[] = [];
  readonly audiencePages: ListAudienceCommand[] = [];
  /** Called before each page of an audience is returned. */
  beforeAudiencePage?: (page: ListAudienceCommand) => Promise<void> | void;
  /** Called while the rows of a job with user ids are validated. */
  whileValidating?: () => void;
  /** Retention of an account's messages in days. Null means forever. */
  messageDaysOf: (accountId: string) => number | null = () => null;
  /** Error that `check-job` returns. */
  refusal?: AppError;
  /** Received estimate commands. */
  readonly estimates: EstimateSendsCommand[] = [];
  /** Returns the reply to an estimate command. */
  estimateOf: (command: EstimateSendsCommand) => EstimateSendsReply = ({ recipients }) => ({
    currency: 'USD',
    groups: [
      {
        category: 'utility',
        market: 'India',
        messages: recipients.length,
        lowest: '0.01',
        highest: '0.01',
        free: null,
      },
    ],
    rejections: [],
    initiated: recipients.length,
  });
  /** Outcome to report for a recipient; undefined to report nothing. */
  outcomeOf: (recipient: { messageId: string; to: string; from?: string }) => Outcome | undefined = () => ({
    status: 'accepted',
    upstreamId: 'wamid.OUT',
  });
  /** State of a message that queries return. */
  sendOf: (messageId: string) => GetSendReply = () => ({ state: 'none', upstreamId: null, error: null });
  readonly asked: string[] = [];

  constructor(readonly broker: Broker) {}

  take(contract: MessageContract, body: object): unknown {
    if (contract === checkJobV1) return this.check(body as CheckJobCommand);
    if (contract === estimateSendsV1) {
      this.estimates.push(body as EstimateSendsCommand);
      return this.estimateOf(body as EstimateSendsCommand);
    }
    if (contract === listAudienceV1) return this.listAudience(body as ListAudienceCommand);
    if (contract === sendJobMessagesV1) return this.send(body as SendJobMessagesV1);
    if (contract === getPersonKeysV1) {
      this.whileValidating?.();
      return {
        people: (body as GetPersonKeysCommand).userIds.flatMap((userId) => {
          const key = this.keysOfUsers.get(userId);
          return key === undefined ? [] : [{ userId, key }];
        }),
      };
    }
    if (contract === failJobMessagesV1) return void this.failed.push(body as FailJobMessagesV1);
    if (contract === getSendingCapacityV1)
      return {
        ...(sampleReply(contract) as object),
        numbers: (body as GetSendingCapacityCommand).numbers.map((phoneNumber) => ({
          phoneNumber,
          throughput: this.throughputs.get(phoneNumber) ?? this.throughput,
          messagingLimit: null,
          remaining: null,
          ...this.limits.get(phoneNumber),
        })),
        spendCap: this.spendCap,
      };
    if (contract === getAccountSettingsV1)
      return {
        settings: {
          ...accountSettingsSample,
          messageDays: this.messageDaysOf((body as { accountId: string }).accountId),
        },
      };
    if (contract === getSendV1) {
      const { messageId } = body as { messageId: string };
      this.asked.push(messageId);
      return this.sendOf(messageId);
    }
    return sampleReply(contract);
  }

  /** Reports outcomes of messages to the jobs service. */
  report(
    job: { accountId: string; jobId: string },
    changes: (Outcome & { messageId: string; at?: string })[],
  ): Promise<void> {
    const at = new Date().toISOString();
    return this.broker.publish(jobMessagesChangedV1, { ...job, changes: changes.map((change) => ({ at, ...change })) });
  }

  private async listAudience(command: ListAudienceCommand): Promise<ListAudienceReply> {
    this.audiencePages.push(command);
    await this.beforeAudiencePage?.(command);
    const from = Number(command.after ?? 0);
    const to = from + command.limit;
    return { members: this.audience.slice(from, to), next: to < this.audience.length ? String(to) : null };
  }

  private check(command: CheckJobCommand): object {
    this.checks.push(command);
    const refusal = this.refusal ?? this.faultOfNumber(command.message.from ?? NUMBER);
    if (refusal) throw refusal;
    const isMissing = ({ id }: { id: string }): boolean => !this.media.has(id);
    if (mediaReferences(command.message).some(isMissing)) throw new AppError('MEDIA_NOT_FOUND');
    const { name, language, variables = {} } = command.message.template ?? {};
    const shared = Object.keys(variables).length;
    const faults = (command.recipients ?? []).flatMap(({ components }, index) => {
      const given = components.find(({ type }) => type === 'body')?.parameters?.length ?? shared;
      const message = `template parameters do not match the template: the body expects ${this.bodyVariables.length}, ${given} given`;
      const missing = mediaReferences(components).find(isMissing);
      if (missing) return [{ index, code: 'MEDIA_NOT_FOUND', message: `no such uploaded file: ${missing.id}` }];
      return given === this.bodyVariables.length ? [] : [{ index, code: 'TEMPLATE_PARAMS_MISMATCH', message }];
    });
    const template =
      name === undefined
        ? null
        : {
            name,
            language: language?.code ?? '',
            category: this.category,
            bodyVariables: this.bodyVariables,
            ...(this.components && { components: this.components }),
          };
    const phoneNumber = command.message.from ?? NUMBER;
    return {
      phoneNumber,
      throughput: this.throughputs.get(phoneNumber) ?? this.throughput,
      template,
      faults,
      ...(this.hasSpendCaps && { hasSpendCaps: true }),
    };
  }

  private async send(task: SendJobMessagesV1): Promise<void> {
    const { accountId, jobId, recipients, numbers } = task;
    const { from } = task.message;
    this.tasks.push(task);
    this.sent.push(...recipients.map((recipient) => ({ ...recipient, jobId, from, numbers, at: Date.now() })));
    const changes = recipients.flatMap(({ messageId, to }) => {
      const outcome = this.outcomeOf({ messageId, to, from });
      return outcome ? [{ messageId, ...outcome }] : [];
    });
    if (changes.length > 0) await this.report({ accountId, jobId }, changes);
  }
}

/** @returns the fake and a function that stops it */
export async function startMessaging(options: {
  url: string;
  namespace: string;
}): Promise<{ messaging: FakeMessaging; stop: () => Promise<void> }> {
  const broker = asAllSenders('messaging', (service) => createBroker({ service, ...options, logger: silentLogger }));
  const messaging = new FakeMessaging(broker);
  return {
    messaging,
    stop: await startFakeService('messaging', broker, (contract, body) => messaging.take(contract, body)),
  };
}
