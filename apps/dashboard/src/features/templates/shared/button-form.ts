import { bracedTextsOf, FLOW_SOURCES } from '@switchboard/template-rules';
import { inWords, isOneOf, type Json, listOf, textOf } from './form-values';

const BUTTON_KINDS = [
  'QUICK_REPLY',
  'URL',
  'PHONE_NUMBER',
  'COPY_CODE',
  'FLOW',
  'CATALOG',
  'MPM',
  'SPM',
  'REQUEST_CONTACT_INFO',
] as const;
/** Button types whose text WhatsApp fixes. */
export const FIXED_TEXTS: Partial<Record<string, string>> = {
  COPY_CODE: 'Copy code',
  REQUEST_CONTACT_INFO: 'Share contact info',
};
export type ButtonKind = (typeof BUTTON_KINDS)[number];
export type FlowSource = (typeof FLOW_SOURCES)[number];

export interface FlowForm {
  /** Which kind of identifier the button's value is. */
  source: FlowSource;
  /** Source of the first screen: the template, or the business's own endpoint. */
  action: 'navigate' | 'data_exchange';
  /** Empty for the flow's first screen. */
  screen: string;
  /** Unknown properties of the button, preserved unchanged. */
  kept: Json;
}

/** Form state of a button. Types that the editor cannot create are read-only. */
export interface ButtonForm {
  type: ButtonKind | 'OTHER';
  text: string;
  /** URL, phone number, sample code or flow. */
  value: string;
  /** Sample for the variable at the end of a URL. */
  sample: string;
  flow?: FlowForm;
}

export const NEW_FLOW: FlowForm = { source: 'flow_id', action: 'navigate', screen: '', kept: {} };

export const buttonOf = (type: ButtonKind, text = ''): ButtonForm => ({
  type,
  text,
  value: '',
  sample: '',
  ...(type === 'FLOW' && { flow: NEW_FLOW }),
});

export const isKnownButton = ({ type }: Json): boolean => isOneOf(BUTTON_KINDS, type);

export function toButton({ type, text, value, sample, flow }: ButtonForm): Json {
  if (type === 'URL') return { type, text, url: value, ...(bracedTextsOf(value).length > 0 && { example: [sample] }) };
  if (type === 'PHONE_NUMBER') return { type, text, phone_number: value };
  if (type === 'FLOW') return { type, text, ...toFlow(value, flow ?? NEW_FLOW) };
  if (type === 'REQUEST_CONTACT_INFO') return { type };
  return type === 'COPY_CODE' ? { type, example: value } : { type, text };
}

function toFlow(value: string, { source, action, screen, kept }: FlowForm): Json {
  return {
    ...kept,
    [source]: value,
    flow_action: action,
    ...(screen !== '' && action === 'navigate' && { navigate_screen: screen }),
  };
}

/** Converts a stored button to form state; the inverse of `toButton`. */
export function toButtonForm(button: Json): ButtonForm {
  const { type, text, url, phone_number: phone, example } = button;
  if (!isOneOf(BUTTON_KINDS, type))
    return { type: 'OTHER', text: textOf(text) || inWords(type), value: '', sample: '' };
  const sample = textOf(Array.isArray(example) ? listOf(example)[0] : example);
  if (type === 'COPY_CODE') return { type, text: '', value: sample, sample: '' };
  if (type === 'REQUEST_CONTACT_INFO') return buttonOf(type);
  if (type === 'FLOW') return { type, text: textOf(text), sample: '', ...toFlowForm(button) };
  const value = type === 'URL' ? textOf(url) : type === 'PHONE_NUMBER' ? textOf(phone) : '';
  return { type, text: textOf(text), value, sample: type === 'URL' ? endOf(value, sample) : '' };
}

const FLOW_FIELDS = ['type', 'text', 'flow_action', 'navigate_screen', ...FLOW_SOURCES] as const;

function toFlowForm(button: Json): Pick<ButtonForm, 'value' | 'flow'> {
  const source = FLOW_SOURCES.find((known) => button[known] !== undefined) ?? 'flow_id';
  const named = button[source];
  return {
    value: typeof named === 'number' ? String(named) : textOf(named),
    flow: {
      source,
      action: textOf(button.flow_action).toLowerCase() === 'data_exchange' ? 'data_exchange' : 'navigate',
      screen: textOf(button.navigate_screen),
      kept: Object.fromEntries(Object.entries(button).filter(([name]) => !isOneOf(FLOW_FIELDS, name))),
    },
  };
}

/** WhatsApp lists the full URL as the sample, but expects only the variable part in requests. */
function endOf(url: string, sample: string): string {
  const [beginning = ''] = url.split('{{');
  return beginning !== '' && sample.startsWith(beginning) ? sample.slice(beginning.length) : sample;
}
