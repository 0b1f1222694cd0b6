import { Injectable } from '@nestjs/common';
import {
  AppError,
  type JobRecipient,
  labelsOf,
  type SendJobMessagesV1,
  type TemplateContent,
  type TemplateRecord,
} from '@switchboard/contracts';
import { captionOf, contentOf } from '../sends/message-content';
import type { NewSend, SendFacts } from '../sends/send.repository';
import { UpstreamSender } from '../sends/upstream-sender';
import { type KnownNumber, NumberCache } from '../numbers/number-cache';
import { fitted, TemplateCheck } from '../templates/template-check';
import type { SentFiles } from '../sends/send-media';
import { JobMedia } from './job-media';
import { type JobOutcome, outcomeOfMismatch, postponed, throttled } from './job-outcome';

/**
 * Maximum time a job's message waits for throttling to end, before it is returned to its job. Never delays single
 * sends.
 */
export const PATIENCE_MS = 1_000;

/** A message that has passed all checks so far. */
export interface ReadyMessage {
  facts: SendFacts;
  send: NewSend;
  /** Uploaded files that the content refers to. */
  files?: SentFiles;
}

/** A message whose outcome is known without a row. */
export interface DecidedMessage {
  messageId: string;
  outcome: JobOutcome;
}

export interface PreparedMessages {
  ready: ReadyMessage[];
  decided: DecidedMessage[];
}

/** Builds the content for one recipient, who may have individual components. */
type ContentFor = (recipient: JobRecipient) => Omit<NewSend, 'mediaId' | 'answeredId'>;

interface Judged {
  recipient: JobRecipient;
  number: KnownNumber;
  contentFor: ContentFor;
}

/** Runs the checks before the rows of a task are written. */
@Injectable()
export class JobPreparation {
  constructor(
    private readonly numbers: NumberCache,
    private readonly templates: TemplateCheck,
    private readonly sender: UpstreamSender,
    private readonly media: JobMedia,
  ) {}

  /** @throws Error if the database fails; nothing was written or sent then */
  async prepare(task: SendJobMessagesV1, recipients: readonly JobRecipient[]): Promise<PreparedMessages> {
    const number = await this.numbers.find(task.accountId, task.message.from ?? null);
    if (!number) return allDecided(recipients, { kind: 'held', reason: 'NUMBER_STOPPED' });
    const contentFor = await this.contentFor(task, number);
    if (typeof contentFor !== 'function') return allDecided(recipients, contentFor);
    const ready: ReadyMessage[] = [];
    const decided: DecidedMessage[] = [];
    for (const recipient of recipients) {
      const judged = this.judge(task, { recipient, number, contentFor });
      if ('kind' in judged) decided.push({ messageId: recipient.messageId, outcome: judged });
      else ready.push(judged);
    }
    const checked = await this.media.attach(task.accountId, number, ready);
    return { ready: checked.ready, decided: [...decided, ...checked.decided] };
  }

  private judge(task: SendJobMessagesV1, { recipient, number, contentFor }: Judged): ReadyMessage | JobOutcome {
    const pause = this.sender.pauseOf({ ...number, recipient: recipient.to });
    if (pause && pause.ms > PATIENCE_MS) return throttled(pause);
    try {
      const send = { ...contentFor(recipient), mediaId: null, answeredId: null };
      return { facts: factsOf(task, recipient, send), send };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return outcomeOfMismatch(error.message);
    }
  }

  /** Returns a function that builds the content, or the common outcome if the message has no content. */
  private async contentFor(
    { accountId, message }: SendJobMessagesV1,
    { wabaId }: KnownNumber,
  ): Promise<ContentFor | JobOutcome> {
    const { template: content } = message;
    if (message.type !== 'template' || !content) {
      const same = { content: contentOf(message), caption: captionOf(message), isMarketing: false };
      return () => same;
    }
    try {
      return templated(await this.templates.approved({ accountId, wabaId }, content), content);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // The templates service is unavailable. Return an outcome instead of an error, which would dead-letter the task.
      const isRefusal = error.code === 'TEMPLATE_NOT_FOUND' || error.code === 'TEMPLATE_NOT_APPROVED';
      return isRefusal ? { kind: 'held', reason: 'TEMPLATE_NOT_APPROVED' } : postponed();
    }
  }
}

function templated(template: TemplateRecord, content: TemplateContent): ContentFor {
  return ({ components = content.components }) => {
    const { content: checked, category } = fitted(template, { ...content, components });
    return { content: checked, caption: null, isMarketing: category === 'MARKETING', category };
  };
}

/**
 * A marketing message with an unknown outcome fails instead of being sent again, because a duplicate annoys recipients
 * more than a missing message.
 */
function factsOf(
  { accountId, jobId, message, maxSpend }: SendJobMessagesV1,
  recipient: JobRecipient,
  { isMarketing }: NewSend,
): SendFacts {
  return {
    accountId,
    messageId: recipient.messageId,
    jobId,
    repeatable: !isMarketing,
    ...(maxSpend && { maxSpend }),
    message: { ...labelsOf(recipient), to: recipient.to, from: message.from, type: message.type },
  };
}

function allDecided(recipients: readonly JobRecipient[], outcome: JobOutcome): PreparedMessages {
  return { ready: [], decided: recipients.map(({ messageId }) => ({ messageId, outcome })) };
}
