import { TextField } from '../kit/controls';
import { isMedia, type TemplateForm } from './template-form';
import { sendValuesOf } from './template-sends';

const EXAMPLE_FILE = 'https://example.com/menu.png';

interface TemplateValuesProps {
  form: TemplateForm;
  onForm(changed: TemplateForm): void;
  /** Of the header's file. */
  link: string;
  onLink(link: string): void;
}

/**
 * Asks for everything that fills a template: the addresses of its files, each value of header, body, buttons and cards,
 * the end of an offer, products.
 */
export function TemplateValues({ form, onForm, link, onLink }: TemplateValuesProps) {
  return (
    <>
      {isMedia(form.header) && (
        <TextField
          label="Address of the file"
          hint="The platform fetches the header's file from there"
          value={link}
          onChange={onLink}
          input={{ type: 'url', placeholder: EXAMPLE_FILE }}
        />
      )}
      {sendValuesOf(form).map(({ label, hint, value, type, isOptional = false, change }) => (
        <TextField
          key={label}
          label={label}
          hint={hint}
          isOptional={isOptional}
          value={value}
          onChange={(text) => onForm({ ...form, ...change(text) })}
          input={{ type: type ?? 'text', ...(type === 'url' && { placeholder: EXAMPLE_FILE }) }}
        />
      ))}
    </>
  );
}

/** @returns whether everything that fills a template is given */
export function isFilled(form: TemplateForm, link: string): boolean {
  const isGiven = sendValuesOf(form).every(({ value, isOptional }) => isOptional || value.trim() !== '');
  return isGiven && (!isMedia(form.header) || link !== '');
}
