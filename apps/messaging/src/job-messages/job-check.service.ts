import { Injectable } from '@nestjs/common';
import {
  AppError,
  type CheckJobCommand,
  type CheckJobReply,
  type RecipientComponents,
  type RecipientFault,
  type TemplateContent,
  type TemplateRecord,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { noNumber } from '../sends/send-refusals';
import { numberSuspended } from '../numbers/suspended-numbers';
import { fitted, TemplateCheck } from '../templates/template-check';
import { variablesOf } from '../templates/template-parameters';
import { FIND_JOB_NUMBER, type JobNumber } from './job-messages.queries';

/**
 * Messages per second that upstream accepts from a number, by throughput level. An unknown level has the standard
 * throughput.
 */
const THROUGHPUT: Record<string, number> = { HIGH: 1_000 };
const STANDARD_THROUGHPUT = 80;

/** Checks a job's message like that of a single send, except for the recipients' own restrictions. */
@Injectable()
export class JobCheckService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly templates: TemplateCheck,
  ) {}

  /** @throws AppError for the number or the template, as for a send; errors of recipients are in the reply */
  async checkJob({ accountId, message, recipients = [], freshTemplate }: CheckJobCommand): Promise<CheckJobReply> {
    const [number] = await query<JobNumber>(this.dataSource, FIND_JOB_NUMBER, [accountId, message.from ?? null]);
    if (!number) throw noNumber(message.from);
    if (number.isStopped) throw numberSuspended(number.stoppedReason);
    const { phoneNumber, wabaId, throughputLevel } = number;
    const facts = { phoneNumber, throughput: THROUGHPUT[throughputLevel ?? ''] ?? STANDARD_THROUGHPUT };
    if (message.type !== 'template' || !message.template)
      return { ...facts, template: null, faults: recipients.map(hasNoTemplate) };
    if (freshTemplate) this.templates.forget(accountId, message.template.name);
    const template = await this.templates.approved({ accountId, wabaId }, message.template);
    if (recipients.length === 0) fitted(template, message.template);
    return { ...facts, template: factsOf(template), faults: faultsOf(template, message.template, recipients) };
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
  template: TemplateRecord,
  content: TemplateContent,
  recipients: readonly RecipientComponents[],
): RecipientFault[] {
  return recipients.flatMap(({ components }, index) => {
    try {
      fitted(template, { ...content, components });
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
