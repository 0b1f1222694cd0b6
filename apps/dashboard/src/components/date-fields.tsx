import { CalendarDays } from 'lucide-react';
import { useRef, useState } from 'react';
import { fullTime, shownTimeZone, timeOfField } from '../lib/formats';
import { Button, Field, TextField } from './controls';

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
 * Date and time in the account's time zone, typed as `2026-11-28 14:30` or chosen in the browser's calendar. A native
 * field alone would use the format of the browser's language. An invalid text is reported when the field is left or
 * Enter is pressed.
 */
export function DateTimeField({ value, onChange, hint, fault, isOptional = false, ...field }: DateTimeProps) {
  const [isLeft, setLeft] = useState(false);
  const typed = useRef<HTMLInputElement>(null);
  const native = useRef<HTMLInputElement>(null);
  const change = (text: string): void => {
    setLeft(false);
    onChange(text);
  };
  const at = timeOfField(value);
  const isEmpty = value === '' && isOptional;
  const invalid = isLeft && !at && !isEmpty ? DATE_TIME_FAULT : undefined;
  const meaning = at ? fullTime(at) : `YYYY-MM-DD hh:mm, time zone ${shownTimeZone()}`;
  return (
    <Field
      {...field}
      isOptional={isOptional}
      hint={[`${meaning}.`, hint].filter(Boolean).join(' ')}
      fault={invalid ?? fault}
    >
      {(props) => (
        <div className="affix picked">
          <input
            {...props}
            ref={typed}
            className="input"
            value={value}
            placeholder="YYYY-MM-DD hh:mm"
            autoComplete="off"
            onChange={({ target }) => change(target.value)}
            onBlur={() => setLeft(true)}
            onKeyDown={({ key }) => (key === 'Enter' ? setLeft(true) : undefined)}
          />
          {/* The browser's picker has no time zone, so the chosen time is one of the account's time zone, too. */}
          <input
            ref={native}
            className="picker"
            type="datetime-local"
            tabIndex={-1}
            aria-hidden
            value={at ? value.trim().replace(' ', 'T') : ''}
            onChange={({ target }) => {
              change(target.value.replace('T', ' '));
              typed.current?.focus();
            }}
          />
          <Button
            look="ghost"
            size="sm"
            icon={CalendarDays}
            aria-label="Open calendar"
            onClick={() => native.current?.showPicker()}
          />
        </div>
      )}
    </Field>
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
