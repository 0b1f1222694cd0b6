import { ChevronDown, CircleAlert, Download, LoaderCircle, type LucideIcon } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';
import { countText } from '../lib/formats';
import { useTellReason } from './disabled-reasons';
import { sentenceOf } from '../lib/sentences';
import { markSubmitted, markUnsaved, useForgetUnsaved } from '../lib/unsaved-forms';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  look?: 'primary' | 'danger' | 'danger-quiet' | 'ghost';
  size?: 'sm' | 'lg';
  icon?: LucideIcon;
  /** Reason why the control is disabled. The control stays visible and shows the reason. */
  refusal?: string | undefined;
  isBusy?: boolean;
}

export function Button({ look, size, icon: Icon, refusal, isBusy, children, onClick, ...rest }: ButtonProps) {
  const isOff = refusal !== undefined || isBusy;
  const isTold = useTellReason(refusal);
  const Shown = isBusy ? LoaderCircle : Icon;
  return (
    <button
      type="button"
      {...rest}
      className={['btn', look, size, isBusy && 'is-busy', !children && 'icon', rest.className]
        .filter(Boolean)
        .join(' ')}
      aria-disabled={isOff || rest['aria-disabled']}
      {...(refusal !== undefined && { 'aria-description': refusal, ...(!isTold && { 'data-tip': refusal }) })}
      onClick={(event) => {
        if (!isOff) return onClick?.(event);
        event.preventDefault();
        if (rest.type === 'submit' && !isBusy) focusFault(event.currentTarget.form);
      }}
    >
      {Shown && <Shown className={isBusy ? 'i spin' : 'i'} aria-hidden />}
      {children}
    </button>
  );
}

interface DownloadLinkProps {
  href: string;
  refusal: string | undefined;
  children: string;
}

/** Link to a file; while disabled, a button that shows the reason. */
export function DownloadLink({ href, refusal, children }: DownloadLinkProps) {
  if (refusal !== undefined)
    return (
      <Button size="sm" icon={Download} refusal={refusal}>
        {children}
      </Button>
    );
  return (
    <a className="btn sm" href={href} download>
      <Download className="i" aria-hidden />
      {children}
    </a>
  );
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  fault?: string | undefined;
  isOptional?: boolean;
  /** Character counter: used and maximum. */
  meter?: [used: number, most: number];
  children: (props: { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }) => ReactNode;
}

export function Field({ label, hint, fault, isOptional, meter, children }: FieldProps) {
  const id = useId();
  const described = fault || hint ? { 'aria-describedby': `${id}-more` } : {};
  return (
    <div className="field">
      <div className="field-head">
        <label className="label" htmlFor={id}>
          {label}
          {isOptional && <span className="opt"> (optional)</span>}
        </label>
        {meter && (
          <span className={meter[0] > meter[1] ? 'meter over' : 'meter'}>
            {meter[0]} of {countText(meter[1])}
          </span>
        )}
      </div>
      {children({ id, ...(fault && { 'aria-invalid': true as const }), ...described })}
      {fault ? (
        <p className="fault" id={`${id}-more`}>
          <CircleAlert className="i i-14" aria-hidden />
          <span>{sentenceOf(fault)}</span>
        </p>
      ) : (
        hint && (
          <p className="hint" id={`${id}-more`}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}

interface TextProps extends Omit<FieldProps, 'children'> {
  value: string;
  onChange(value: string): void;
  input?: Omit<ComponentProps<'input'>, 'value' | 'onChange'> & { 'data-tip'?: string };
}

export function TextField({ value, onChange, input, ...field }: TextProps) {
  return (
    <Field {...field}>
      {(props) => (
        <input
          {...input}
          {...props}
          className={`input ${input?.className ?? ''}`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export function TextArea({ value, onChange, rows = 5, ...field }: Omit<TextProps, 'input'> & { rows?: number }) {
  return (
    <Field {...field}>
      {(props) => (
        <textarea
          {...props}
          className="textarea"
          rows={rows}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface SelectProps<Value extends string> extends Omit<FieldProps, 'children'> {
  value: Value;
  onChange(value: NoInfer<Value>): void;
  options: readonly (readonly [value: NoInfer<Value>, text: string])[];
  /** Compact size for filter rows. */
  isSmall?: boolean;
  isDisabled?: boolean;
}

export function Select<Value extends string>({
  value,
  onChange,
  options,
  isSmall,
  isDisabled,
  ...field
}: SelectProps<Value>) {
  return (
    <Field {...field}>
      {(props) => (
        <span className="select-wrap">
          <select
            {...props}
            className={isSmall ? 'select sm' : 'select'}
            disabled={isDisabled}
            value={value}
            onChange={(event) => onChange(event.target.value as Value)}
          >
            {options.map(([option, text]) => (
              <option key={option} value={option}>
                {text}
              </option>
            ))}
          </select>
          <ChevronDown className="i" aria-hidden />
        </span>
      )}
    </Field>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  options: readonly (string | readonly [value: string, text: string])[];
  onChange(value: string | undefined): void;
}

export function Choice({ label, value, options, onChange }: ChoiceProps) {
  const pairs = options.map((option) => (typeof option === 'string' ? ([option, option] as const) : option));
  const known = value && !pairs.some(([option]) => option === value) ? [[value, value] as const, ...pairs] : pairs;
  return (
    <Select
      isSmall
      label={label}
      value={value ?? ''}
      onChange={(chosen) => onChange(chosen || undefined)}
      options={[['', 'Any'], ...known]}
    />
  );
}

interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  onChange(value: NoInfer<Value>): void;
  options: readonly (readonly [value: NoInfer<Value>, text: string])[];
  isSmall?: boolean;
}

export function Segments<Value extends string>({ label, value, onChange, options, isSmall }: SegmentsProps<Value>) {
  return (
    <div className={isSmall ? 'seg sm' : 'seg'} role="group" aria-label={label}>
      {options.map(([option, text]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {text}
        </button>
      ))}
    </div>
  );
}

export function Check({ label, ...input }: { label: ReactNode } & Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <label className="check">
      <input type="checkbox" {...input} /> {label}
    </label>
  );
}

/** Focuses the first invalid field, which screen readers then announce. @returns whether there is one */
/** Focuses the first invalid field of a form. @returns whether there is one */
export function focusFault(form: HTMLFormElement | null): boolean {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  field?.focus();
  return field != null;
}

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit(): void;
  /**
   * Whether leaving asks for confirmation once something was entered. Turn it off for forms that save automatically or
   * are short.
   */
  isGuarded?: boolean;
}

/**
 * Form whose submission the page handles. When errors appear after a submit, the first invalid field gets the focus.
 */
export function Form({ onSubmit, isGuarded = true, ...form }: FormProps) {
  const ref = useRef<HTMLFormElement>(null);
  const isSubmitted = useRef(false);
  useForgetUnsaved(ref);
  const noteInput = ({ currentTarget }: { currentTarget: Element }): void => {
    // Errors that appear during typing must not move the focus.
    isSubmitted.current = false;
    if (isGuarded) markUnsaved(currentTarget);
  };
  // Runs after every render, because errors may arrive with a later response.
  useEffect(() => {
    if (isSubmitted.current && focusFault(ref.current)) isSubmitted.current = false;
  });
  return (
    <form
      noValidate
      {...form}
      ref={ref}
      onInput={noteInput}
      onDrop={noteInput}
      onSubmit={(event) => {
        event.preventDefault();
        isSubmitted.current = true;
        markSubmitted(event.currentTarget);
        onSubmit();
      }}
    />
  );
}
