import { Injectable } from '@nestjs/common';
import {
  AppError,
  type CheckJobCommand,
  type CheckJobReply,
  mediaReferences,
  type RecipientComponents,
  type RecipientFault,
  type TemplateContent,
  type TemplateRecord,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { noNumber } from '../sends/send-refusals';
import type { SendableFile } from '../media-files/media-files.queries';
import { faultOfReferences, SendMedia } from '../sends/send-media';
import { throughputOf } from '../numbers/sending-limits';
import { numberSuspended } from '../numbers/suspended-numbers';
import { SpendCapsService } from '../spend/spend-caps.service';
import { fitted, TemplateCheck } from '../templates/template-check';
import { variablesOf } from '../templates/template-parameters';
import { FIND_JOB_NUMBER, type JobNumber } from './job-messages.queries';

/** Checks a job's message like that of a single send, except for the recipients' own restrictions. */
@Injectable()
export class JobCheckService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly templates: TemplateCheck,
    private readonly media: SendMedia,
    private readonly caps: SpendCapsService,
  ) {}

  /** @throws AppError for an invalid number, template or spend cap, as for a send. The reply has recipients' errors. */
  async checkJob(command: CheckJobCommand): Promise<CheckJobReply> {
    if (command.maxSpend) await this.caps.requireRates(command.maxSpend, 'maxSpend');
    const reply = await this.checkMessage(command);
    const { accountId, jobId, maxSpend, nextRecipients, at } = command;
    if (jobId !== undefined)
      await this.caps.requireRest({
        accountId,
        jobId,
        maxSpend,
        category: reply.template?.category,
        nextRecipients,
        ...(at !== undefined && { at: new Date(at) }),
      });
    return { ...reply, hasSpendCaps: true };
  }

  private async checkMessage({
    accountId,
    message,
    recipients = [],
    freshTemplate,
  }: CheckJobCommand): Promise<CheckJobReply> {
    const [number] = await query<JobNumber>(this.dataSource, FIND_JOB_NUMBER, [accountId, message.from ?? null]);
    if (!number) throw noNumber(message.from);
    if (number.isStopped) throw numberSuspended(number.stoppedReason);
    const { phoneNumber, wabaId, throughputLevel } = number;
    const facts = { phoneNumber, throughput: throughputOf(throughputLevel) };
    const files = await this.filesOf(accountId, message, recipients);
    if (message.type !== 'template' || !message.template)
      return { ...facts, template: null, faults: recipients.map(hasNoTemplate) };
    if (freshTemplate) this.templates.forget(accountId, message.template.name);
    const template = await this.templates.approved({ accountId, wabaId }, message.template);
    if (recipients.length === 0) fitted(template, message.template);
    const faults = faultsOf({ template, files }, message.template, recipients);
    return { ...facts, template: factsOf(template), faults };
  }

  /**
   * Returns the uploaded files that the job refers to.
   * @throws AppError MEDIA_NOT_FOUND, UNSUPPORTED_MEDIA for a file that all recipients get
   */
  private async filesOf(
    accountId: string,
    message: CheckJobCommand['message'],
    recipients: readonly RecipientComponents[],
  ): Promise<ReadonlyMap<string, SendableFile>> {
    const common = mediaReferences(message);
    const all = [...common, ...recipients.flatMap(({ components }) => mediaReferences(components, 'components'))];
    if (all.length === 0) return new Map();
    const files = await this.media.known(accountId, all);
    const fault = faultOfReferences(common, files);
    if (fault) throw fault;
    return files;
  }
}

function factsOf(template: TemplateRecord): CheckJobReply['template'] {
  const { name, language, category, components } = template;
  const ofBody = variablesOf(template).filter(({ place, card }) => place === 'body' && card === undefined);
  return {
    name,
    language,
    category: category.toUpperCase(),
    bodyVariables: ofBody.map(({ key }) => key),
    components,
  };
}

function faultsOf(
  { template, files }: { template: TemplateRecord; files: ReadonlyMap<string, SendableFile> },
  content: TemplateContent,
  recipients: readonly RecipientComponents[],
): RecipientFault[] {
  return recipients.flatMap(({ components }, index) => {
    try {
      fitted(template, { ...content, components });
      const fault = faultOfReferences(mediaReferences(components, 'components'), files);
      if (fault) throw fault;
      return [];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [{ index, code: error.code, message: error.message }];
    }
  });
}

function hasNoTemplate(_recipient: RecipientComponents, index: number): RecipientFault {
  return { index, code: 'INVALID_PARAMETER', message: 'components are for messages of type template only' };
}
