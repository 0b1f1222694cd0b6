import { useState } from 'react';
import { fullTime, shownTimeZone, timeOfField } from '../lib/formats';
import { TextField } from './controls';

/** Error for a text that is no date and time. */
export const DATE_TIME_FAULT = 'Enter a valid date and time as YYYY-MM-DD hh:mm';
const DATE_FAULT = 'Enter a valid date as YYYY-MM-DD';

interface DateTimeProps {
  label: string;
  value: string;
  onChange(value: string): void;
  hint?: string;
  fault?: string | undefined;
  isOptional?: boolean;
}

/**
 * Date and time in the account's time zone, typed as `2026-11-28 14:30`. A native field would use the language and time
 * zone of the browser. An invalid text is reported when the field is left or Enter is pressed.
 */
export function DateTimeField({ value, onChange, hint, fault, isOptional = false, ...field }: DateTimeProps) {
  const [isLeft, setLeft] = useState(false);
  const at = timeOfField(value);
  const isEmpty = value === '' && isOptional;
  const invalid = isLeft && !at && !isEmpty ? DATE_TIME_FAULT : undefined;
  const meaning = at ? fullTime(at) : `YYYY-MM-DD hh:mm, time zone ${shownTimeZone()}`;
  return (
    <TextField
      {...field}
      isOptional={isOptional}
      value={value}
      onChange={(text) => {
        setLeft(false);
        onChange(text);
      }}
      hint={[`${meaning}.`, hint].filter(Boolean).join(' ')}
      fault={invalid ?? fault}
      input={{
        placeholder: 'YYYY-MM-DD hh:mm',
        autoComplete: 'off',
        onBlur: () => setLeft(true),
        onKeyDown: ({ key }) => (key === 'Enter' ? setLeft(true) : undefined),
      }}
    />
  );
}

interface DateFilterProps {
  label: string;
  value: string | undefined;
  onChange(value: string | undefined): void;
}

/** Day of a filter in the account's time zone, typed as `2026-11-28`. It applies on blur or Enter. */
export function DateFilter({ label, value = '', onChange }: DateFilterProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  // The URL changed outside the field, for example by the back button.
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  const commit = (): void => (typed === value ? undefined : onChange(typed || undefined));
  const format = `YYYY-MM-DD, time zone ${shownTimeZone()}`;
  return (
    <TextField
      label={label}
      value={typed}
      onChange={setTyped}
      fault={typed === value && value !== '' && !timeOfField(value) ? DATE_FAULT : undefined}
      input={{
        placeholder: 'YYYY-MM-DD',
        'aria-description': format,
        'data-tip': format,
        autoComplete: 'off',
        className: 'sm',
        size: 12,
        onBlur: commit,
        onKeyDown: ({ key }) => (key === 'Enter' ? commit() : undefined),
      }}
    />
  );
}
