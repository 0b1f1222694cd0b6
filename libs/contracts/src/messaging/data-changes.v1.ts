import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { ListOf } from '../body-docs';
import { event, PART_BYTES } from '../message-contract';

/** Kinds of data that a dashboard reads again when they change. */
export const DATA_KINDS = [
  'message',
  'status',
  'job',
  'template',
  'number',
  'webhook',
  'notice',
  'conversation',
  'label',
] as const;
export type DataKind = (typeof DATA_KINDS)[number];

/** Maximum number of ids per change. A change of more data names only the kind. */
export const CHANGED_IDS_MAX = 20;
/** Maximum number of changes in one event. */
export const DATA_CHANGES_MAX = 200;

/** Change of an account's data. It contains ids, but no content. */
export class DataChange {
  @IsString() accountId: string;
  @IsIn(DATA_KINDS) kind: DataKind;
  /** IDs of the changed data; absent if they are many or unknown. */
  @IsOptional() @IsArray() @ArrayMaxSize(CHANGED_IDS_MAX) @IsString({ each: true }) ids?: string[];
}

export class DataChangedV1 {
  @ArrayMinSize(1)
  @ArrayMaxSize(DATA_CHANGES_MAX)
  @ListOf(() => DataChange)
  changes: DataChange[];
}

export const dataChangedV1 = event({
  name: 'messaging.data.changed.v1',
  producer: 'messaging',
  alsoPublishedBy: ['templates', 'jobs', 'webhooks'],
  consumers: [],
  broadcastTo: ['gateway'],
  maxBytes: PART_BYTES,
  description:
    'Data of these accounts changed. Every gateway notifies their dashboards. Most of these events follow from the `changes` of another event and are published without confirms.',
  body: DataChangedV1,
  sample: {
    changes: [
      {
        accountId: 'acc_01jd0000000000000000000000',
        kind: 'message' as const,
        ids: ['msg_01jd0000000000000000000000'],
      },
    ],
  },
});
