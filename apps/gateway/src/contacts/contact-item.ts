import {
  Answer,
  BodySchema,
  ContactRecord,
  Doc,
  type GetContactReply,
  LABEL_NAME_MAX,
  Nested,
  OrNull,
  QueueState,
  type Schema,
} from '@switchboard/contracts';
import { IsBoolean, IsInt, IsOptional } from 'class-validator';
import { IsFlag, IsFragment, IsRecordText } from '../pagination/query-rules';

export const FRAGMENT_SCHEMA = { type: 'string', minLength: 2, maxLength: 100 } as const satisfies Schema;
export const FRAGMENT =
  'Part of a name, user name or phone number, or a complete user id. The search ignores case, accents, plus signs and spaces';

export const LABEL_SCHEMA = { type: 'string', minLength: 1, maxLength: LABEL_NAME_MAX } as const satisfies Schema;
export const LABEL_FILTER = 'Name of a label of the contact, ignoring case';

export class ContactFilters {
  @IsOptional() @IsFragment() search?: string;
  @IsOptional() @IsFlag() optedOut?: boolean;
  @IsOptional() @IsRecordText(LABEL_NAME_MAX) label?: string;
}

/** Contact with the additional fields of the contact page. */
@BodySchema({ name: 'ContactDetail' })
export class ContactDetail extends ContactRecord {
  @Doc('True: all messages are rejected, not only marketing') @IsBoolean() blocked: boolean;
  @IsInt() messageCount: number;
  @Doc('Inbound messages since your last message') @IsInt() unreadCount: number;
  @Doc('Queue state of the conversation; null without messages')
  @OrNull()
  @Nested(() => QueueState)
  queue: QueueState | null;
}

@Answer()
export class ContactAnswer {
  @Nested(() => ContactDetail) contact: ContactDetail;
}

export function contactItem({ contact, queue, ...more }: GetContactReply): ContactDetail {
  return { ...contact, ...more, queue: queue ?? null };
}
