import type { TemplateVariable } from '@switchboard/template-rules';

/** Choices of contacts as recipients. */
export interface AudienceForm {
  /** ID of a label, or an empty text for all contacts. */
  labelId: string;
  /** Key of `LAST_MESSAGES`. */
  lastMessage: string;
  optedIn: boolean;
  windowOpen: boolean;
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

/** Returns the variables that can have the contact's name: texts of the header and the body. */
export const namableOf = (variables: readonly TemplateVariable[]): TemplateVariable[] =>
  variables.filter(({ kind, place }) => kind === 'text' && (place === 'header' || place === 'body'));

/** Returns the audience of a request. Omits variables that another template had. */
export function sentAudience(audience: AudienceForm, variables: readonly TemplateVariable[]) {
  const known = new Set(namableOf(variables).map(({ key }) => key));
  const nameVariables = audience.nameVariables.filter((key) => known.has(key));
  return { ...filtersOf(audience), ...(nameVariables.length > 0 && { nameVariables }) };
}
