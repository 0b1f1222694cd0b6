import type { TemplateVariable } from '@switchboard/template-rules';
import { counted } from '../../lib/formats';

/** Choices of contacts as recipients. */
export interface AudienceForm {
  /** ID of a label, or an empty text for all contacts. */
  labelId: string;
  /** Key of `LAST_MESSAGES`. */
  lastMessage: string;
  optedIn: boolean;
  windowOpen: boolean;
  /** ID of the template that has the name variables. */
  templateId?: string;
  /** Keys of the variables that get the contact's name. */
  nameVariables: readonly string[];
}

export const ALL_CONTACTS: AudienceForm = {
  labelId: '',
  lastMessage: '',
  optedIn: true,
  windowOpen: false,
  nameVariables: [],
};

/** Options for the time since the contact wrote. */
export const LAST_MESSAGES = [
  ['', 'At any time, or never'],
  ['wrote 1', 'Within the last day'],
  ['wrote 7', 'Within the last 7 days'],
  ['wrote 30', 'Within the last 30 days'],
  ['wrote 90', 'Within the last 90 days'],
  ['wrote 365', 'Within the last 365 days'],
  ['silent 7', 'Not for 7 days, or never'],
  ['silent 30', 'Not for 30 days, or never'],
  ['silent 90', 'Not for 90 days, or never'],
  ['silent 365', 'Not for 365 days, or never'],
] as const;

/** Returns the filters of the console API. */
export function filtersOf({ labelId, lastMessage, optedIn, windowOpen }: AudienceForm) {
  const [kind, days] = lastMessage.split(' ');
  return {
    ...(labelId !== '' && { labelId }),
    ...(kind === 'wrote' && { wroteWithinDays: Number(days) }),
    ...(kind === 'silent' && { silentForDays: Number(days) }),
    ...(optedIn && { optedIn }),
    ...(windowOpen && { windowOpen }),
  };
}

/** Returns why the counted contacts allow no job. While the count or the limit is unknown, the service decides. */
export function faultOfCount(
  matching: { count: number; isExact: boolean } | undefined,
  limit: number | undefined,
): string | undefined {
  if (!matching) return undefined;
  if (limit !== undefined && matching.count > limit) return overLimit(limit);
  return matching.count === 0 && matching.isExact ? 'No contact matches' : undefined;
}

/** Returns the refusal of more recipients than the plan allows. */
export const overLimit = (limit: number): string => `Your plan allows ${counted(limit, 'recipient')} per job`;

/** Returns the audience without the name variables of the previous template. */
export function audienceFor(audience: AudienceForm, templateId: string): AudienceForm {
  return audience.templateId === templateId ? audience : { ...audience, templateId, nameVariables: [] };
}

/** Returns the variables that can have the contact's name: texts of the header and the body. */
export const namableOf = (variables: readonly TemplateVariable[]): TemplateVariable[] =>
  variables.filter(({ kind, place }) => kind === 'text' && (place === 'header' || place === 'body'));

/** Returns the audience of a request. */
export function sentAudience(audience: AudienceForm) {
  const { nameVariables } = audience;
  return { ...filtersOf(audience), ...(nameVariables.length > 0 && { nameVariables: [...nameVariables] }) };
}
