import { isFileKind, type TemplateVariable } from '@switchboard/template-rules';
import { TextField } from '../../../components/controls';
import { labelOf, type Values } from './send-values';
import type { TemplateForm } from './template-form';

const FETCHED = 'The platform downloads the header file from this URL';
const HINTS: Partial<Record<TemplateVariable['kind'], string>> = {
  image: FETCHED,
  video: FETCHED,
  gif: FETCHED,
  document: FETCHED,
  latitude: 'In degrees, for example 12.9716',
  longitude: 'In degrees, for example 77.5946',
  product: 'As in the catalog',
  product_list: 'Catalog IDs, separated by commas',
  flow_token: 'Any text; returned with the responses',
};

interface TemplateValuesProps {
  variables: readonly TemplateVariable[];
  /** Form of the template, for the button texts in labels. */
  form: TemplateForm;
  values: Values;
  onValues(changed: Values): void;
}

/** Fields for all values of a template: header, body, offer, buttons and cards. */
export function TemplateValues({ variables, form, values, onValues }: TemplateValuesProps) {
  return variables
    .filter(({ kind }) => kind !== 'other')
    .map((variable) => {
      const { key, kind, isOptional } = variable;
      const hint = HINTS[kind];
      const input = inputOf(variable);
      return (
        <TextField
          key={key}
          label={labelOf(variable, form)}
          {...(isOptional && { isOptional })}
          {...(hint !== undefined && { hint })}
          value={values[key] ?? ''}
          onChange={(value) => onValues({ ...values, [key]: value })}
          {...(input !== undefined && { input })}
        />
      );
    });
}

function inputOf({ kind }: TemplateVariable): { type: string; placeholder?: string } | undefined {
  if (kind === 'offer_end') return { type: 'datetime-local' };
  if (!isFileKind(kind)) return undefined;
  return { type: 'url', placeholder: `https://example.com/${EXAMPLE_FILES[kind]}` };
}

const EXAMPLE_FILES = { image: 'menu.png', video: 'menu.mp4', gif: 'menu.mp4', document: 'bill.pdf' };
