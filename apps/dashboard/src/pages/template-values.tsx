import { TextField } from '../kit/controls';
import { isMedia, type TemplateForm } from './template-form';
import { sendValuesOf } from './template-variables';

interface TemplateValuesProps {
  form: TemplateForm;
  onForm(changed: TemplateForm): void;
  /** Of the header's file. */
  link: string;
  onLink(link: string): void;
}

/** Asks for everything that fills a template: the address of its file, and each value of header, body and buttons. */
export function TemplateValues({ form, onForm, link, onLink }: TemplateValuesProps) {
  return (
    <>
      {isMedia(form.header) && (
        <TextField
          label="Address of the file"
          hint="The platform fetches the header's file from there"
          value={link}
          onChange={onLink}
          input={{ type: 'url', placeholder: 'https://example.com/menu.png' }}
        />
      )}
      {sendValuesOf(form).map(({ label, value, change }) => (
        <TextField key={label} label={label} value={value} onChange={(text) => onForm({ ...form, ...change(text) })} />
      ))}
    </>
  );
}

/** @returns whether everything that fills a template is given */
export function isFilled(form: TemplateForm, link: string): boolean {
  return sendValuesOf(form).every(({ value }) => value.trim() !== '') && (!isMedia(form.header) || link !== '');
}
