import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsOptional,
  IsString,
  MaxLength,
  MinLength,
  type ValidationOptions,
} from 'class-validator';
import { BodySchema, Doc, ListOf, Nested } from '../body-docs';
import { command, SMALL_COMMAND_BYTES } from '../message-contract';
import { IsNotBlank, IsPlainName, IsRecipient, IsStorableText } from '../validation';
import { contactSample, UpdateContactReply } from './contacts.v1';
import { ViewTotal } from './queue.v1';

/** Colours of labels. The dashboard shows each with enough contrast in both themes. */
export const LABEL_COLOURS = ['grey', 'red', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink'] as const;
export type LabelColour = (typeof LABEL_COLOURS)[number];

/** Maximum number of labels of an account. */
export const LABELS_MAX = 100;
export const LABEL_NAME_MAX = 40;

/** Validates the name of a label: text of 1 to `LABEL_NAME_MAX` characters, not blank, without control characters. */
export function IsLabelName(options?: ValidationOptions): PropertyDecorator {
  const rules = [MaxLength(LABEL_NAME_MAX, options), MinLength(1, options), IsNotBlank(options), IsPlainName(options)];
  return (prototype, name) => {
    for (const decorate of [...rules, IsStorableText(options), IsString(options)]) decorate(prototype, name);
  };
}

/** Label of an account. */
@BodySchema({ name: 'Label' })
export class LabelRecord {
  @IsString() id: string;
  @IsString() name: string;
  @IsIn(LABEL_COLOURS) colour: LabelColour;
  @Doc('Contacts with this label, counted up to 1,000') @Nested(() => ViewTotal) contacts: ViewTotal;
}

export class ListLabelsCommand {
  @IsString() accountId: string;
}

export class ListLabelsReply {
  @ListOf(() => LabelRecord) labels: LabelRecord[];
}

const LABEL: LabelRecord = {
  id: 'lbl_01jd0000000000000000000000',
  name: 'VIP',
  colour: 'green',
  contacts: { total: 12, totalIsExact: true },
};
const accountId = 'acc_01jd0000000000000000000000';

export const listLabelsV1 = command({
  name: 'messaging.list-labels.v1',
  owner: 'messaging',
  description: "Returns an account's labels by name, each with the number of its contacts up to a limit.",
  request: ListLabelsCommand,
  response: ListLabelsReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: { request: { accountId }, response: { labels: [LABEL] } },
});

export class CreateLabelCommand {
  @IsString() accountId: string;
  /** ID of the new label. */
  @IsString() labelId: string;
  @IsLabelName() name: string;
  @IsIn(LABEL_COLOURS) colour: LabelColour;
}

export class LabelReply {
  @Nested(() => LabelRecord) label: LabelRecord;
}

/** Error: INVALID_VALUE (name in use, ignoring case, or too many labels). */
export const createLabelV1 = command({
  name: 'messaging.create-label.v1',
  owner: 'messaging',
  description: 'Creates a label. A repeated command returns the label that the first one created.',
  request: CreateLabelCommand,
  response: LabelReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId, labelId: LABEL.id, name: 'VIP', colour: 'green' as const },
    response: { label: LABEL },
  },
});

/** Absent fields stay unchanged. */
export class ChangeLabelCommand {
  @IsString() accountId: string;
  @IsString() labelId: string;
  @IsOptional() @IsLabelName() name?: string;
  @IsOptional() @IsIn(LABEL_COLOURS) colour?: LabelColour;
}

/** Error: NOT_FOUND, INVALID_VALUE (name in use, ignoring case). */
export const changeLabelV1 = command({
  name: 'messaging.change-label.v1',
  owner: 'messaging',
  description: 'Renames or recolours a label. Its contacts keep it.',
  request: ChangeLabelCommand,
  response: LabelReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: { request: { accountId, labelId: LABEL.id, name: 'VIP' }, response: { label: LABEL } },
});

export class DeleteLabelCommand {
  @IsString() accountId: string;
  @IsString() labelId: string;
}

export class DeleteLabelReply {
  @IsString() id: string;
}

/** Error: NOT_FOUND. */
export const deleteLabelV1 = command({
  name: 'messaging.delete-label.v1',
  owner: 'messaging',
  description: 'Deletes a label and removes it from all contacts.',
  request: DeleteLabelCommand,
  response: DeleteLabelReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: { request: { accountId, labelId: LABEL.id }, response: { id: LABEL.id } },
});

export class LabelContactCommand {
  @IsString() accountId: string;
  @IsString() contactId: string;
  @IsString() labelId: string;
  /** False to remove the label from the contact. */
  @IsBoolean() isLabelled: boolean;
}

export class LabelContactReply {
  /** Names of all labels of the contact. */
  @IsString({ each: true }) labels: string[];
}

/** Error: NOT_FOUND (contact or label). May be repeated. */
export const labelContactV1 = command({
  name: 'messaging.label-contact.v1',
  owner: 'messaging',
  description: 'Adds one label to a contact, or removes it.',
  request: LabelContactCommand,
  response: LabelContactReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId, contactId: contactSample.id, labelId: LABEL.id, isLabelled: true },
    response: { labels: ['VIP'] },
  },
});

export class SetContactLabelsCommand {
  @IsString() accountId: string;
  /** Phone number or upstream user id of the contact. */
  @IsRecipient() phone: string;
  @IsArray() @ArrayMaxSize(LABELS_MAX) @IsLabelName({ each: true }) labels: string[];
}

/** Error: NOT_FOUND (contact), INVALID_VALUE (too many labels in the account). May be repeated. */
export const setContactLabelsV1 = command({
  name: 'messaging.set-contact-labels.v1',
  owner: 'messaging',
  description: "Replaces a contact's labels by names. Labels that do not exist are created.",
  request: SetContactLabelsCommand,
  response: UpdateContactReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: 8 * LABELS_MAX * LABEL_NAME_MAX,
  // Low, to leave the memory of the process to sends: commands can be large.
  prefetch: 16,
  sample: {
    request: { accountId, phone: '919812345678', labels: ['VIP'] },
    response: { contact: { ...contactSample, labels: ['VIP'] }, blocked: false },
  },
});
