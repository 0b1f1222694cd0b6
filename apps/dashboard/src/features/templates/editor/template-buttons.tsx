import { MAX_BUTTONS } from '@switchboard/template-rules';
import { Plus, Trash2 } from 'lucide-react';
import { api, must } from '../../../api/client';
import { Button, Select, TextField } from '../../../components/controls';
import { Note } from '../../../components/display';
import { useRead } from '../../../hooks/queries';
import { type ButtonForm, type ButtonKind, buttonOf, FIXED_TEXTS } from '../shared/button-form';
import { At } from './template-bar';
import { FlowFields } from './template-flow';
import type { TemplateForm } from '../shared/template-form';
import { type Format, formatOf } from './template-formats';
import { changedAt } from './template-variables';

export interface Parts {
  form: TemplateForm;
  category: string;
  /** @param changed changed fields, or a function of the current form for asynchronous updates */
  set(changed: Partial<TemplateForm> | ((form: TemplateForm) => Partial<TemplateForm>)): void;
  /** Returns the first error of these fields as a sentence. */
  faultOf(...fields: string[]): string | undefined;
}

export const BUTTON_NAMES: Record<ButtonKind, string> = {
  QUICK_REPLY: 'Quick reply',
  URL: 'Open link',
  PHONE_NUMBER: 'Call number',
  COPY_CODE: 'Copy code',
  FLOW: 'Open flow',
  CATALOG: 'Open catalog',
  MPM: 'View products',
  SPM: 'View product',
  REQUEST_CONTACT_INFO: 'Request contact info',
};
const CARD_KINDS: readonly ButtonKind[] = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'FLOW'];
const MESSAGE_KINDS: readonly ButtonKind[] = [...CARD_KINDS, 'REQUEST_CONTACT_INFO'];
const KINDS_OF: Record<Format, readonly ButtonKind[]> = {
  MESSAGE: MESSAGE_KINDS,
  CAROUSEL: CARD_KINDS,
  OFFER: ['COPY_CODE', 'URL'],
  CATALOG: ['CATALOG'],
  PRODUCTS: ['MPM'],
  PRODUCT: ['SPM'],
};
/** Extra field of a button type: its name in the rules, its label and an example. */
export interface MoreOfButton {
  field: string;
  label: string;
  example: string;
}
export const VALUES: Partial<Record<ButtonKind, MoreOfButton>> = {
  URL: { field: 'url', label: 'Link', example: 'https://example.com/{{1}}' },
  PHONE_NUMBER: { field: 'phone_number', label: 'Number', example: '+15550783881' },
  COPY_CODE: { field: 'example', label: 'Sample code', example: 'SAVE10' },
};
const HINTS: Partial<Record<ButtonKind, string>> = {
  QUICK_REPLY: 'Sends an event with this text.',
  CATALOG: 'Each send can choose the product shown as the thumbnail.',
  MPM: 'Each send chooses the products.',
  SPM: 'Each send chooses the product.',
  REQUEST_CONTACT_INFO: 'Lets a contact who hides their phone number share it.',
};

/** Text of WhatsApp's own button with which customers opt out of marketing. */
const OPT_OUT_TEXT = 'Stop promotions';
const comparable = (text: string): string => text.trim().toUpperCase();

/** Returns whether a button text is one of the account's opt-out words. */
function useOptOutWords(): (text: string) => boolean {
  const { data } = useRead(['settings'], () => must(api.GET('/console/v1/settings')));
  const words = data && (data.settings.optOutWords ?? data.settings.defaultOptOutWords);
  return (text) => words?.some((word) => comparable(word) === comparable(text)) ?? false;
}

export function Buttons({ form, category, set, faultOf }: Parts) {
  const { buttons } = form;
  const isOptOut = useOptOutWords();
  const optsOut = ({ type, text }: ButtonForm): boolean => type === 'QUICK_REPLY' && isOptOut(text);
  const format = formatOf(form);
  const kinds = KINDS_OF[format];
  const fault = buttons.length > 0 || format !== 'MESSAGE' ? faultOf('buttons') : undefined;
  return (
    <section className="fieldset">
      <h2>
        Buttons
        <small>
          {buttons.length} of {MAX_BUTTONS}
        </small>
      </h2>
      <At fields={['buttons']}>
        <div className="stack">
          {buttons.map((button, index) => (
            <ButtonRow
              key={index}
              button={button}
              index={index}
              kinds={kinds}
              optsOut={optsOut(button)}
              faultOf={faultOf}
              onChange={(changed) => set({ buttons: changedAt(buttons, index, changed) })}
              onRemove={() => set({ buttons: buttons.filter((_, at) => at !== index) })}
            />
          ))}
          {fault && <Note tone="bad">{fault}</Note>}
          {kinds.length > 1 && (
            <div className="row wrap">
              <Button
                size="sm"
                icon={Plus}
                refusal={buttons.length < MAX_BUTTONS ? undefined : `At most ${MAX_BUTTONS} buttons`}
                onClick={() => set({ buttons: [...buttons, buttonOf(kinds[0] ?? 'QUICK_REPLY')] })}
              >
                Add button
              </Button>
              {category === 'MARKETING' && kinds.includes('QUICK_REPLY') && isOptOut(OPT_OUT_TEXT) && (
                <Button
                  size="sm"
                  icon={Plus}
                  refusal={
                    buttons.some(optsOut)
                      ? 'The template has an opt-out button'
                      : buttons.length < MAX_BUTTONS
                        ? undefined
                        : `At most ${MAX_BUTTONS} buttons`
                  }
                  onClick={() => set({ buttons: [...buttons, buttonOf('QUICK_REPLY', OPT_OUT_TEXT)] })}
                >
                  Add opt-out button
                </Button>
              )}
            </div>
          )}
        </div>
      </At>
    </section>
  );
}

interface RowProps {
  button: ButtonForm;
  index: number;
  kinds: readonly ButtonKind[];
  /** Whether a customer who presses the button opts out of marketing. */
  optsOut: boolean;
  faultOf: Parts['faultOf'];
  onChange(changed: Partial<ButtonForm>): void;
  onRemove(): void;
}

function ButtonRow({ button, index, kinds, optsOut, faultOf, onChange, onRemove }: RowProps) {
  const { type, text, value } = button;
  const number = index + 1;
  const field = `buttons.${index}`;
  const more = type === 'OTHER' ? undefined : VALUES[type];
  const offered = type === 'OTHER' || kinds.includes(type) ? kinds : [type, ...kinds];
  const row = (
    <div className="btn-row">
      {type === 'OTHER' ? (
        <TextField
          label={`Button ${number}: type`}
          value="Other"
          onChange={() => undefined}
          input={{ readOnly: true }}
        />
      ) : (
        <Select
          label={`Button ${number}: type`}
          value={type}
          // A value does not carry over to another type: a phone number is no URL.
          onChange={(next) => onChange(buttonOf(next, text))}
          options={offered.map((kind) => [kind, BUTTON_NAMES[kind]] as const)}
        />
      )}
      {type in FIXED_TEXTS ? (
        <span />
      ) : (
        <At fields={[`${field}.text`]}>
          <TextField
            label={`Button ${number}: text`}
            value={text}
            onChange={(next) => onChange({ text: next })}
            fault={faultOf(`${field}.text`)}
          />
        </At>
      )}
      {more ? (
        <At fields={[`${field}.${more.field}`]}>
          <TextField
            label={`Button ${number}: ${more.label.toLowerCase()}`}
            value={value}
            onChange={(next) => onChange({ value: next })}
            fault={faultOf(`${field}.${more.field}`)}
            input={{ placeholder: more.example }}
          />
        </At>
      ) : (
        <span className="hint beside">
          {optsOut ? 'Opts the customer out of marketing.' : type !== 'OTHER' && HINTS[type]}
        </span>
      )}
      <Button look="ghost" icon={Trash2} className="beside" aria-label={`Remove button ${number}`} onClick={onRemove} />
    </div>
  );
  if (type !== 'FLOW') return row;
  return (
    <div className="stack">
      {row}
      <FlowFields button={button} index={index} faultOf={faultOf} onChange={onChange} />
    </div>
  );
}
