import { isFileKind, type TemplateVariable } from '@switchboard/template-rules';
import { TextField } from '../../../components/controls';
import { DateTimeField } from '../../../components/date-fields';
import { MediaValue } from './media-value';
import { approvedSamples, labelOf, type Values } from './send-values';
import type { TemplateForm } from './template-form';

const HINTS: Partial<Record<TemplateVariable['kind'], string>> = {
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
  const samples = approvedSamples(variables, form);
  return variables
    .filter(({ kind }) => kind !== 'other')
    .map((variable) => {
      const { key, kind, isOptional, sample } = variable;
      const onValue = (value: string): void => onValues({ ...values, [key]: value });
      if (isFileKind(kind))
        return (
          <MediaValue
            key={key}
            label={labelOf(variable, form)}
            kind={kind}
            value={values[key] ?? ''}
            onValue={onValue}
            sample={samples[key]}
          />
        );
      const hint = HINTS[kind] ?? (kind === 'text' && sample !== '' ? `For example “${sample}”` : undefined);
      const Value = kind === 'offer_end' ? DateTimeField : TextField;
      return (
        <Value
          key={key}
          label={labelOf(variable, form)}
          {...(isOptional && { isOptional })}
          {...(hint !== undefined && { hint })}
          value={values[key] ?? ''}
          onChange={onValue}
        />
      );
    });
}
