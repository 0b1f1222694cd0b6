import { MAX_BUTTONS } from '@switchboard/template-rules';
import { Plus, Trash2 } from 'lucide-react';
import { Button, Select, TextField } from '../kit/controls';
import { Note } from '../kit/display';
import { type ButtonForm, type TemplateForm } from './template-form';

/** What a part of the editor reads and changes. */
export interface Parts {
  form: TemplateForm;
  set(changed: Partial<TemplateForm>): void;
  faultOf(...fields: string[]): string | undefined;
}

const replaced = (buttons: readonly ButtonForm[], index: number, changed: Partial<ButtonForm>): ButtonForm[] =>
  buttons.map((button, at) => (at === index ? { ...button, ...changed } : button));

const BUTTON_KINDS = [
  ['QUICK_REPLY', 'Quick reply'],
  ['URL', 'Open a link'],
  ['PHONE_NUMBER', 'Call a number'],
  ['COPY_CODE', 'Copy a code'],
] as const;
const VALUE_FIELDS = { URL: 'url', PHONE_NUMBER: 'phone_number', COPY_CODE: 'example', QUICK_REPLY: '' };
const VALUE_HINTS = {
  URL: 'https://example.com/{{1}}',
  PHONE_NUMBER: '+15550783881',
  COPY_CODE: 'SAVE10',
  QUICK_REPLY: '',
};

/** The buttons, each with what it needs. */
export function Buttons({ form: { buttons }, set, faultOf }: Parts) {
  return (
    <section className="fieldset">
      <h2>
        Buttons
        <small>
          {buttons.length} of {MAX_BUTTONS}
        </small>
      </h2>
      <div className="stack">
        {buttons.map((button, index) => {
          const number = index + 1;
          const change = (changed: Partial<ButtonForm>): void => set({ buttons: replaced(buttons, index, changed) });
          return (
            <div key={index} className="btn-row">
              <Select
                label={`Kind ${number}`}
                value={button.type}
                onChange={(type) => change({ type })}
                options={BUTTON_KINDS}
              />
              {button.type === 'COPY_CODE' ? (
                <span />
              ) : (
                <TextField
                  label={`Text ${number}`}
                  value={button.text}
                  onChange={(text) => change({ text })}
                  fault={faultOf(`buttons.${index}.text`)}
                />
              )}
              {button.type === 'QUICK_REPLY' ? (
                <span className="hint">Arrives as an event with this text.</span>
              ) : (
                <TextField
                  label={
                    button.type === 'URL'
                      ? `Link ${number}`
                      : button.type === 'PHONE_NUMBER'
                        ? `Number ${number}`
                        : `Sample code ${number}`
                  }
                  value={button.value}
                  onChange={(value) => change({ value })}
                  fault={faultOf(`buttons.${index}.${VALUE_FIELDS[button.type]}`)}
                  input={{ placeholder: VALUE_HINTS[button.type] }}
                />
              )}
              <Button
                look="ghost"
                icon={Trash2}
                aria-label={`Remove button ${number}`}
                onClick={() => set({ buttons: buttons.filter((_, at) => at !== index) })}
              />
            </div>
          );
        })}
        {faultOf('buttons') && buttons.length > 0 && <Note tone="bad">{faultOf('buttons')}</Note>}
        <div>
          <Button
            size="sm"
            icon={Plus}
            refusal={buttons.length < MAX_BUTTONS ? undefined : `At most ${MAX_BUTTONS} buttons`}
            onClick={() => set({ buttons: [...buttons, { type: 'QUICK_REPLY', text: '', value: '', sample: '' }] })}
          >
            Add button
          </Button>
        </div>
      </div>
    </section>
  );
}
