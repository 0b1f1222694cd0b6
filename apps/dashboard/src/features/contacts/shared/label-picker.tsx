import { Check, Plus } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { api, must } from '../../../api/client';
import { useRefusal } from '../../../api/session';
import { useChange } from '../../../hooks/queries';
import { type Label, LABEL_COLOURS, LabelChip, useLabels } from './labels';

const MOST_CHARACTERS = 40;
const keyOf = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

export interface Labelled {
  id: string;
  labels: readonly string[];
}

const hintOf = (refusal: string | undefined): string =>
  refusal === undefined ? 'No labels yet. Type a name to create one.' : 'No labels yet. Ask an admin to create them.';

interface LabelPickerProps {
  contact: Labelled;
  onClose(): void;
  onLeave(): void;
}

/** Searches labels, adds and removes them, and creates a new one. */
export function LabelPicker({ contact, onClose, onLeave }: LabelPickerProps) {
  const id = useId();
  const labels = useLabels();
  const creation = useRefusal('admin');
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const params = { path: { contactId: contact.id } };
  const add = (labelId: string) =>
    must(api.POST('/console/v1/contacts/{contactId}/labels/add', { params, body: { labelId } }));
  const change = useChange(({ id: labelId, name }: Label) =>
    contact.labels.includes(name)
      ? must(api.POST('/console/v1/contacts/{contactId}/labels/remove', { params, body: { labelId } }))
      : add(labelId),
  );
  // One change, so that a picker that is closed meanwhile also adds the label.
  const create = useChange(async (name: string) => {
    const colour = LABEL_COLOURS[((labels?.length ?? 0) + 1) % LABEL_COLOURS.length] ?? 'grey';
    const { label } = await must(api.POST('/console/v1/labels', { body: { name, colour } }));
    return add(label.id);
  });
  const key = keyOf(typed);
  const found = (labels ?? []).filter(({ name }) => keyOf(name).includes(key));
  const isUnknown = labels !== undefined && key !== '' && !labels.some(({ name }) => keyOf(name) === key);
  const isNew = isUnknown && creation === undefined;
  const count = found.length + (isNew ? 1 : 0);
  const isBusy = change.isPending || create.isPending;
  const choose = (index: number): void => {
    if (isBusy) return;
    const label: Label | undefined = found[index];
    const clear = (): void => {
      setTyped('');
      setAt(0);
    };
    if (label) {
      change.mutate(label);
      clear();
    } else if (isNew) create.mutate(typed.trim(), { onSuccess: clear });
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key !== 'Enter' && event.key !== 'Escape' && step === undefined) return;
    // Escape must not close the panel around it, and Enter must not submit a form.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return onClose();
    if (step === undefined) return choose(at);
    setAt((now) => (now + step + count) % Math.max(1, count));
  };
  const optionId = (index: number): string => `${id}-${index}`;
  useEffect(() => {
    document.getElementById(optionId(at))?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <div
      className="menu label-pick"
      role="dialog"
      aria-label="Change labels"
      onKeyDown={press}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) onLeave();
      }}
    >
      <input
        className="input"
        role="combobox"
        autoFocus
        autoComplete="off"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={count > 0 ? optionId(at) : undefined}
        aria-label={creation === undefined ? 'Search or create a label' : 'Search labels'}
        placeholder={creation === undefined ? 'Search or create' : 'Search labels'}
        maxLength={MOST_CHARACTERS}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
      />
      <div
        className="label-options"
        role="listbox"
        id={`${id}-list`}
        aria-label="Labels of the account"
        aria-multiselectable
      >
        {found.map(({ id: labelId, name, colour }, index) => (
          <div
            key={labelId}
            id={optionId(index)}
            role="option"
            aria-selected={contact.labels.includes(name)}
            className={index === at ? 'option is-on' : 'option'}
            // Keeps the focus in the field.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(index)}
            onPointerMove={() => setAt(index)}
          >
            <LabelChip name={name} colour={colour} />
            {contact.labels.includes(name) && <Check className="i i-14" aria-hidden />}
          </div>
        ))}
        {isNew && (
          <div
            id={optionId(found.length)}
            role="option"
            aria-selected={false}
            className={at === found.length ? 'option is-on' : 'option'}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(found.length)}
            onPointerMove={() => setAt(found.length)}
          >
            <Plus className="i i-14" aria-hidden />
            <span className="cut">Create “{typed.trim()}”</span>
          </div>
        )}
      </div>
      <p className="hint" role="status">
        {isUnknown && !isNew && `There is no label “${typed.trim()}”. Ask an admin to create it.`}
        {count === 0 && !isUnknown && labels !== undefined && hintOf(creation)}
      </p>
    </div>
  );
}
