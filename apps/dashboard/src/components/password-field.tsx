import { type ComponentProps, useState } from 'react';
import { Button, Field } from './controls';

interface PasswordProps {
  label: string;
  value: string;
  onChange(value: string): void;
  hint?: string;
  fault?: string | undefined;
  input: Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & { autoComplete: string };
}

/** Password field with a button that shows its text. */
export function PasswordField({ value, onChange, input, ...field }: PasswordProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field {...field}>
      {(props) => (
        <span className="affix">
          <input
            {...input}
            {...props}
            type={isShown ? 'text' : 'password'}
            className={`input ${input.className ?? ''}`}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <Button size="sm" look="ghost" aria-controls={props.id} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'}
            <span className="sr pre"> password</span>
          </Button>
        </span>
      )}
    </Field>
  );
}
