import type { Fault } from '@switchboard/template-rules';
import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { sentenceOf } from '../../../lib/sentences';
import type { TemplateForm } from '../shared/template-form';
import { counted } from '../../../lib/formats';
import { labelOf } from './template-faults';

const FIELDS = 'data-fields';
const CONTROLS = 'input:not([type=file]), textarea, select';

/** Section of the form that owns the errors of these fields. The error list scrolls to it. */
export function At({ fields, children }: { fields: readonly string[]; children: ReactNode }) {
  return (
    <div className="at" data-fields={fields.join(' ')}>
      {children}
    </div>
  );
}

/** Returns the fields of the section that contains the element. */
export const fieldsAt = (target: EventTarget): string[] =>
  target instanceof Element ? (target.closest(`[${FIELDS}]`)?.getAttribute(FIELDS) ?? '').split(' ') : [];

/** Scrolls to the field with the error, or to its section. */
export function goTo(field: string): void {
  const places = [...document.querySelectorAll(`[${FIELDS}]`)];
  const fieldsOf = (place: Element): string[] => (place.getAttribute(FIELDS) ?? '').split(' ');
  const place =
    places.find((one) => fieldsOf(one).includes(field)) ??
    places.find((one) => fieldsOf(one).some((part) => field.startsWith(`${part}.`)));
  const control = place?.querySelector<HTMLElement>(CONTROLS) ?? place?.querySelector<HTMLElement>('button');
  control?.focus();
}

interface FaultListProps {
  faults: readonly Fault[];
  form: TemplateForm;
  isComplete: boolean;
}

/** Number of errors with a link to each. Errors without a field are shown here as text. */
export function FaultList({ faults, form, isComplete }: FaultListProps) {
  if (faults.length === 0 && !isComplete) return <span className="dim">Incomplete</span>;
  if (faults.length === 0)
    return (
      <span className="st success quiet">
        <CircleCheck className="i i-14" aria-hidden />
        No errors
      </span>
    );
  const labelled = faults.map((fault) => ({ ...fault, label: labelOf(fault.field, form) }));
  const others = labelled.filter(({ label }) => label === undefined);
  const links = labelled.filter(
    ({ label }, index) => label !== undefined && labelled.findIndex((other) => other.label === label) === index,
  );
  return (
    <>
      {others.map(({ field, message }) => (
        <p key={`${field} ${message}`} className="fault whole" role="alert">
          <CircleAlert className="i i-14" aria-hidden />
          <span>{sentenceOf(message)}</span>
        </p>
      ))}
      <span className="fault strong">
        <CircleAlert className="i" aria-hidden />
        {counted(faults.length, 'error')}
      </span>
      <span className="hide-sm dim fault-links">
        {links.map(({ field, message, label }) => (
          <button
            key={field}
            type="button"
            className="link btn-link"
            title={sentenceOf(message)}
            onClick={() => goTo(field)}
          >
            {label}
          </button>
        ))}
      </span>
    </>
  );
}
