import { MAX_BUTTONS } from '@switchboard/template-rules';
import { Plus, Trash2 } from 'lucide-react';
import { Button, Select, TextField } from '../kit/controls';
import { Note } from '../kit/display';
import { At } from './template-bar';
import { type ButtonForm, type TemplateForm } from './template-form';

/** What a part of the editor reads and changes. */
export interface Parts {
  form: TemplateForm;
  /** @param changed what is different; a function of the form as it is then, for what comes later */
  set(changed: Partial<TemplateForm> | ((form: TemplateForm) => Partial<TemplateForm>)): void;
  /** @returns the first fault of these fields, as a sentence */
  faultOf(...fields: string[]): string | undefined;
}

type Kind = Exclude<ButtonForm['type'], 'OTHER'>;

const BUTTON_KINDS = [
  ['QUICK_REPLY', 'Quick reply'],
  ['URL', 'Open a link'],
  ['PHONE_NUMBER', 'Call a number'],
  ['COPY_CODE', 'Copy a code'],
] as const;
/** What each kind has besides its text: the field of the rules, its label, and an example. */
const VALUES: Partial<Record<Kind, { field: string; label: string; example: string }>> = {
  URL: { field: 'url', label: 'Link', example: 'https://example.com/{{1}}' },
  PHONE_NUMBER: { field: 'phone_number', label: 'Number', example: '+15550783881' },
  COPY_CODE: { field: 'example', label: 'Sample code', example: 'SAVE10' },
};
const NEW_BUTTON: ButtonForm = { type: 'QUICK_REPLY', text: '', value: '', sample: '' };

/** The buttons, each with what it needs. */
export function Buttons({ form: { buttons }, set, faultOf }: Parts) {
  const fault = buttons.length > 0 ? faultOf('buttons') : undefined;
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
              {...{ button, index, faultOf }}
              onChange={(changed) =>
                set({ buttons: buttons.map((one, at) => (at === index ? { ...one, ...changed } : one)) })
              }
              onRemove={() => set({ buttons: buttons.filter((_, at) => at !== index) })}
            />
          ))}
          {fault && <Note tone="bad">{fault}</Note>}
          <div>
            <Button
              size="sm"
              icon={Plus}
              refusal={buttons.length < MAX_BUTTONS ? undefined : `At most ${MAX_BUTTONS} buttons`}
              onClick={() => set({ buttons: [...buttons, NEW_BUTTON] })}
            >
              Add button
            </Button>
          </div>
        </div>
      </At>
    </section>
  );
}

interface RowProps {
  button: ButtonForm;
  index: number;
  faultOf: Parts['faultOf'];
  onChange(changed: Partial<ButtonForm>): void;
  onRemove(): void;
}

function ButtonRow({ button: { type, text, value }, index, faultOf, onChange, onRemove }: RowProps) {
  const number = index + 1;
  const field = `buttons.${index}`;
  const more = type === 'OTHER' ? undefined : VALUES[type];
  return (
    <div className="btn-row">
      {type === 'OTHER' ? (
        <TextField label={`Kind ${number}`} value="Other" onChange={() => undefined} input={{ readOnly: true }} />
      ) : (
        <Select
          label={`Kind ${number}`}
          value={type}
          // The value of one kind is none of another: a number is no link.
          onChange={(next) => onChange({ type: next, value: '', sample: '' })}
          options={BUTTON_KINDS}
        />
      )}
      {type === 'COPY_CODE' ? (
        <span />
      ) : (
        <At fields={[`${field}.text`]}>
          <TextField
            label={`Text ${number}`}
            value={text}
            onChange={(next) => onChange({ text: next })}
            fault={faultOf(`${field}.text`)}
          />
        </At>
      )}
      {more ? (
        <At fields={[`${field}.${more.field}`]}>
          <TextField
            label={`${more.label} ${number}`}
            value={value}
            onChange={(next) => onChange({ value: next })}
            fault={faultOf(`${field}.${more.field}`)}
            input={{ placeholder: more.example }}
          />
        </At>
      ) : (
        <span className="hint beside">{type === 'QUICK_REPLY' && 'Arrives as an event with this text.'}</span>
      )}
      <Button look="ghost" icon={Trash2} className="beside" aria-label={`Remove button ${number}`} onClick={onRemove} />
    </div>
  );
}
