import { useState } from 'react';
import { fullTime, shownTimeZone, timeOfField } from '../lib/formats';
import { TextField } from './controls';

interface DateFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
  hint?: string;
  fault?: string | undefined;
  isOptional?: boolean;
}

/**
 * Date and time in the account's time zone, typed as `2026-11-28 14:30`. The browser's own field would have the
 * browser's language and time zone.
 */
export function DateTimeField({ value, onChange, hint, fault, ...field }: DateFieldProps) {
  const [isLeft, setLeft] = useState(false);
  const at = timeOfField(value);
  const invalid = isLeft && value !== '' && !at ? DATE_TIME_FAULT : undefined;
  const meaning = at ? fullTime(at) : `Time zone: ${shownTimeZone()}.`;
  return (
    <TextField
      {...field}
      value={value}
      onChange={(text) => {
        setLeft(false);
        onChange(text);
      }}
      hint={[meaning, hint].filter(Boolean).join(' ')}
      fault={fault ?? invalid}
      input={{ placeholder: 'YYYY-MM-DD hh:mm', autoComplete: 'off', maxLength: 16, onBlur: () => setLeft(true) }}
    />
  );
}

/** Error for a text that is no date and time. */
export const DATE_TIME_FAULT = 'Enter the date and time as YYYY-MM-DD hh:mm';
