import type { TemplateVariable } from '@switchboard/template-rules';
import { TextField } from '../kit/controls';
import { labelOf, type Values } from './send-values';
import type { TemplateForm } from './template-form';

const HINTS: Partial<Record<TemplateVariable['kind'], string>> = {
  image: "The platform fetches the header's file from there",
  video: "The platform fetches the header's file from there",
  document: "The platform fetches the header's file from there",
  latitude: 'In degrees, for example 12.9716',
  longitude: 'In degrees, for example 77.5946',
};
const isLink = ({ kind }: TemplateVariable): boolean => kind === 'image' || kind === 'video' || kind === 'document';

interface TemplateValuesProps {
  variables: readonly TemplateVariable[];
  /** Of the template: it knows the texts of its buttons. */
  form: TemplateForm;
  values: Values;
  onValues(changed: Values): void;
}

/** Asks for everything that fills a template: each value of header, body and buttons. */
export function TemplateValues({ variables, form, values, onValues }: TemplateValuesProps) {
  return variables
    .filter(({ kind }) => kind !== 'other')
    .map((variable) => {
      const { key, kind, isOptional } = variable;
      const hint = HINTS[kind];
      return (
        <TextField
          key={key}
          label={labelOf(variable, form)}
          {...(isOptional && { isOptional })}
          {...(hint !== undefined && { hint })}
          value={values[key] ?? ''}
          onChange={(value) => onValues({ ...values, [key]: value })}
          {...(isLink(variable) && {
            input: { type: 'url', placeholder: `https://example.com/${kind === 'document' ? 'bill.pdf' : 'menu.png'}` },
          })}
        />
      );
    });
}
