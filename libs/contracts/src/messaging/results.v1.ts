import { IsArray, IsIn, IsInt, IsNumber, IsString, Matches } from 'class-validator';
import { BodySchema, Doc, IsTime, ListOf, Nested, OrNull } from '../body-docs';
import { command, SMALL_COMMAND_BYTES } from '../message-contract';

/** Groupings of results. */
export const RESULT_GROUPINGS = ['template', 'job', 'label', 'agent'] as const;
export type ResultGrouping = (typeof RESULT_GROUPINGS)[number];

/** Maximum days of a range of results. */
export const MAX_RESULT_DAYS = 92;
/** Maximum groups of a reply; those with the most messages come first. */
export const MAX_RESULT_GROUPS = 200;
/** Number of days after the day of a message within which statuses and answers count. */
export const RESULT_OPEN_DAYS = 7;
/** Largest relative error of the median times, in percent. */
export const MEDIAN_ERROR_PERCENT = 5;
/** Matches days such as `2026-11-29`. The gateway also rejects days that do not exist. */
export const DAY_PATTERN = /^2[0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/;

const FIGURES = { sent: 120, delivered: 117, read: 88, answered: 31, pressed: 12, failed: 4 };

/** Number of messages by what became of them. */
@BodySchema({ name: 'ResultFigures', example: () => FIGURES })
export class ResultFigures {
  @Doc('Messages that did not fail') @IsInt() sent: number;
  @Doc('Messages that were delivered, whether or not they were read') @IsInt() delivered: number;
  @Doc('Messages that were read') @IsInt() read: number;
  @Doc('Messages after which the contact wrote next, or to which the contact replied') @IsInt() answered: number;
  @Doc('Messages of which the contact pressed a button or chose a list entry') @IsInt() pressed: number;
  @Doc('Messages that failed; `sent` does not include them') @IsInt() failed: number;
}

@BodySchema({ name: 'ResultDay', example: () => ({ day: '2026-11-28', ...FIGURES }) })
export class ResultDay extends ResultFigures {
  @Doc('Day in UTC', { example: '2026-11-28' }) @IsString() day: string;
}

@BodySchema({ name: 'ResultReason', example: () => ({ reason: 'UNDELIVERABLE', messages: 3 }) })
export class ResultReason {
  @Doc('Reason as in the error of a message') @IsString() reason: string;
  @IsInt() messages: number;
}

const GROUP = {
  key: 'order_update',
  name: 'order_update',
  ...FIGURES,
  reasons: [
    { reason: 'UNDELIVERABLE', messages: 3 },
    { reason: 'UPSTREAM_ERROR', messages: 1 },
  ],
  responses: 31,
  medianResponseSeconds: 412,
};

@BodySchema({ name: 'ResultGroup', example: () => GROUP })
export class ResultGroup extends ResultFigures {
  @Doc(
    'Template name, job ID, label ID or user ID, depending on the grouping; null for messages without a template, job, label or author',
  )
  @OrNull()
  @IsString()
  key: string | null;
  @Doc('Name of the template, of the template of the job, of the label or of the user; null if unknown')
  @OrNull()
  @IsString()
  name: string | null;
  @Doc('Reasons of the failed messages, the most frequent first') @ListOf(() => ResultReason) reasons: ResultReason[];
  @Doc('Number of responses whose median time is known') @IsInt() responses: number;
  @Doc(
    `Median time to the first response, at most ${MEDIAN_ERROR_PERCENT} percent off; null without responses. By \`agent\`, from the first unanswered message of the contact to the user's answer; otherwise from the message to the contact's answer`,
  )
  @OrNull()
  @IsNumber()
  medianResponseSeconds: number | null;
}

export class GetResultsCommand {
  @IsString() accountId: string;
  @IsIn(RESULT_GROUPINGS) by: ResultGrouping;
  @IsString() @Matches(DAY_PATTERN) since: string;
  @IsString() @Matches(DAY_PATTERN) until: string;
}

export class GetResultsReply {
  @Doc('All messages of the range, each counted once') @Nested(() => ResultFigures) total: ResultFigures;
  @Doc('Days with messages, oldest first') @ListOf(() => ResultDay) days: ResultDay[];
  @Doc(`At most ${MAX_RESULT_GROUPS} groups, in descending order of messages`)
  @ListOf(() => ResultGroup)
  groups: ResultGroup[];
  @Doc('Number of groups that are not listed') @IsInt() moreGroups: number;
  @Doc('Time of the oldest figures among the days that may still change; null if no day was computed')
  @OrNull()
  @IsTime()
  computedAt: string | null;
  @Doc('Days whose figures are missing or not current, newest first; the service is computing them')
  @IsArray()
  @IsString({ each: true })
  pendingDays: string[];
}

export const getResultsV1 = command({
  name: 'messaging.get-results.v1',
  owner: 'messaging',
  description:
    "Returns what became of an account's messages by template, job, label or agent. Refreshes recent days if there is time.",
  request: GetResultsCommand,
  response: GetResultsReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      by: 'template' as const,
      since: '2026-11-01',
      until: '2026-11-29',
    },
    response: {
      total: FIGURES,
      days: [{ day: '2026-11-28', ...FIGURES }],
      groups: [GROUP],
      moreGroups: 0,
      computedAt: '2026-11-29T10:00:00.000Z',
      pendingDays: [],
    },
  },
});
