import type { Fault } from '@switchboard/template-rules';
import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { labelOf, sentenceOf } from './template-faults';

const FIELDS = 'data-fields';
const CONTROLS = 'input:not([type=file]), textarea, select, button';

/** Where the faults of these fields belong: the bar at the foot leads here. */
export function At({ fields, children }: { fields: readonly string[]; children: ReactNode }) {
  return (
    <div className="at" {...{ [FIELDS]: fields.join(' ') }}>
      {children}
    </div>
  );
}

/** Goes to the field that is at fault, or to the part that holds it. */
function goTo(field: string): void {
  const places = [...document.querySelectorAll(`[${FIELDS}]`)];
  const fieldsOf = (place: Element): string[] => (place.getAttribute(FIELDS) ?? '').split(' ');
  const place =
    places.find((one) => fieldsOf(one).includes(field)) ??
    places.find((one) => fieldsOf(one).some((part) => field.startsWith(`${part}.`)));
  place?.querySelector<HTMLElement>(CONTROLS)?.focus();
}

/** How many faults there are, and a way to each; those that belong to no field are told here. */
export function FaultList({ faults }: { faults: readonly Fault[] }) {
  if (faults.length === 0)
    return (
      <span className="st success quiet">
        <CircleCheck className="i i-14" aria-hidden />
        No faults
      </span>
    );
  const placed = faults.filter(({ field }) => labelOf(field) !== undefined);
  const others = faults.filter(({ field }) => labelOf(field) === undefined);
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
        {faults.length} {faults.length === 1 ? 'fault' : 'faults'}
      </span>
      <span className="hide-sm dim row wrap">
        {placed.map(({ field, message }) => (
          <button
            key={`${field} ${message}`}
            type="button"
            className="link btn-link"
            title={sentenceOf(message)}
            onClick={() => goTo(field)}
          >
            {labelOf(field)}
          </button>
        ))}
      </span>
    </>
  );
}
