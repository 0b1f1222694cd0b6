import { Select, TextArea, TextField } from '../../../components/controls';
import { type ButtonForm, type FlowForm, NEW_FLOW } from '../shared/button-form';
import { At } from './template-bar';

const SOURCES = [
  ['flow_id', 'ID'],
  ['flow_name', 'Name'],
  ['flow_json', 'JSON'],
] as const;
const ACTIONS = [
  ['navigate', 'Flow'],
  ['data_exchange', 'Your server'],
] as const;

interface FlowFieldsProps {
  button: ButtonForm;
  index: number;
  faultOf(...fields: string[]): string | undefined;
  onChange(changed: Partial<ButtonForm>): void;
}

export function FlowFields({ button: { value, flow = NEW_FLOW }, index, faultOf, onChange }: FlowFieldsProps) {
  const number = index + 1;
  const field = `buttons.${index}`;
  const { source, action, screen } = flow;
  const set = (changed: Partial<FlowForm>): void => onChange({ flow: { ...flow, ...changed } });
  const fault = faultOf(`${field}.flow_id`, `${field}.flow_name`, `${field}.flow_json`);
  const name = { value, fault, onChange: (text: string) => onChange({ value: text }) };
  return (
    <>
      <div className="two">
        <Select
          label={`Identifier of flow ${number}`}
          value={source}
          // A flow's ID is not its name, so the value is cleared.
          onChange={(next) => onChange({ value: '', flow: { ...flow, source: next } })}
          options={SOURCES}
        />
        <At fields={[`${field}.flow_id`, `${field}.flow_name`, `${field}.flow_json`]}>
          {source === 'flow_json' ? (
            <TextArea label={`JSON of flow ${number}`} rows={4} {...name} />
          ) : (
            <TextField label={source === 'flow_id' ? `ID of flow ${number}` : `Name of flow ${number}`} {...name} />
          )}
        </At>
      </div>
      <div className="two">
        <Select
          label={`Screen source of flow ${number}`}
          value={action}
          onChange={(next) => set({ action: next })}
          options={ACTIONS}
        />
        {action === 'navigate' && (
          <At fields={[`${field}.navigate_screen`]}>
            <TextField
              label={`Screen of flow ${number}`}
              isOptional
              value={screen}
              onChange={(text) => set({ screen: text })}
              fault={faultOf(`${field}.navigate_screen`)}
              input={{ className: 'mono', placeholder: 'WELCOME' }}
            />
          </At>
        )}
      </div>
    </>
  );
}
