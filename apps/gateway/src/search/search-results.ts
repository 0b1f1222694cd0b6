import {
  Answer,
  Doc,
  IsTime,
  JOB_STATUSES,
  type JobStatus,
  ListOf,
  OrNull,
  SHOWN_STATUSES,
  TEMPLATE_STATUSES,
  type TemplateStatus,
} from '@switchboard/contracts';
import { IsArray, IsIn, IsInt, IsString } from 'class-validator';
import { KEY_STATES, type KeyState } from '../api-keys/keys.service';

export class FoundContact {
  @IsString() id: string;
  @Doc('Your name for the contact, or the profile name') @OrNull() @IsString() name: string | null;
  @OrNull() @IsString() username: string | null;
  @Doc('Null if the number is hidden') @OrNull() @IsString() phone: string | null;
  @OrNull() @IsString() userId: string | null;
}

export class FoundMessage {
  @IsString() id: string;
  @IsIn(['inbound', 'outbound']) direction: 'inbound' | 'outbound';
  @Doc('Phone number of the contact, or the user id if the number is hidden')
  @OrNull()
  @IsString()
  contact: string | null;
  @Doc('Your name for the contact, or the profile name; null if unknown')
  @OrNull()
  @IsString()
  contactName: string | null;
  @IsString() type: string;
  @Doc(undefined, { enum: SHOWN_STATUSES }) @IsString() status: string;
  @Doc('Reference set in the send request') @OrNull() @IsString() clientRef: string | null;
  @IsTime() timestamp: string;
}

export class FoundTemplate {
  @IsString() id: string;
  @IsString() name: string;
  @IsString() language: string;
  @IsIn(TEMPLATE_STATUSES) status: TemplateStatus;
}

export class FoundJob {
  @IsString() jobId: string;
  @IsIn(JOB_STATUSES) status: JobStatus;
  @OrNull() @IsString() name?: string | null;
  @OrNull() @IsString() template: string | null;
  @IsInt() total: number;
  @IsTime() createdAt: string;
}

export class FoundKey {
  @IsString() id: string;
  @IsString() name: string;
  @IsIn(KEY_STATES) state: KeyState;
  @Doc('First characters of the key', { example: 'sb_live_4fQz' }) @IsString() prefix: string;
  @Doc('Last characters of the key', { example: 'x9Tq' }) @IsString() lastFour: string;
}

/** Results of a search, by kind. */
@Answer()
export class SearchResults {
  @Doc('Contacts with the text in a name, the user name or the number, or with this user id or ID')
  @OrNull()
  @ListOf(() => FoundContact)
  contacts: FoundContact[] | null;
  @Doc('Messages with this ID, the ID assigned by the upstream platform, or this `clientRef`, newest first')
  @OrNull()
  @ListOf(() => FoundMessage)
  messages: FoundMessage[] | null;
  @Doc('Templates of every status with the text in their name, or with this ID')
  @OrNull()
  @ListOf(() => FoundTemplate)
  templates: FoundTemplate[] | null;
  @Doc('Bulk jobs with the text in their name or the name of their template, or with this ID, newest first')
  @OrNull()
  @ListOf(() => FoundJob)
  jobs: FoundJob[] | null;
  @Doc('API keys with the text in their name, with these first or last characters, or with this ID, newest first')
  @OrNull()
  @ListOf(() => FoundKey)
  keys: FoundKey[] | null;
  @Doc('Kinds with results beyond `limit`, or of which only the newest items were searched', {
    example: ['contacts', 'jobs'],
  })
  @IsArray()
  @IsString({ each: true })
  incomplete: string[];
}
