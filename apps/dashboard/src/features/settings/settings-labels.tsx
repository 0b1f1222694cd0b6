import { useId, useState } from 'react';
import { api, must } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Button, Form, TextField } from '../../components/controls';
import { Refused } from '../../components/display';
import { Cancel, Confirm, Dialog, Menu } from '../../components/overlays';
import { useChange } from '../../hooks/queries';
import { counted, countText } from '../../lib/formats';
import { type Label, LABEL_COLOURS, LabelChip, type LabelColour, useLabels } from '../contacts/shared/labels';

const MOST_CHARACTERS = 40;

/** Labels of the account: create, rename, recolour and delete. */
export function Labels() {
  const labels = useLabels();
  const refusal = useRefusal('admin');
  const [edited, setEdited] = useState<Label>();
  const [deleted, setDeleted] = useState<Label>();
  return (
    <div className="fields">
      <p className="hint">Agents add labels to contacts. Conversations show the labels of their contact.</p>
      {labels && labels.length > 0 && (
        <ul className="label-list" aria-label="Labels">
          {labels.map((label) => (
            <li key={label.id}>
              <LabelChip name={label.name} colour={label.colour} />
              <span className="push dim small tn">{contactsOf(label)}</span>
              <Menu
                label={`Actions for ${label.name}`}
                items={[
                  { text: 'Edit', refusal, onChoose: () => setEdited(label) },
                  { text: 'Delete', isDanger: true, refusal, onChoose: () => setDeleted(label) },
                ]}
              />
            </li>
          ))}
        </ul>
      )}
      <NewLabel count={labels?.length ?? 0} />
      {edited && <EditDialog label={edited} onClose={() => setEdited(undefined)} />}
      {deleted && <DeleteDialog label={deleted} onClose={() => setDeleted(undefined)} />}
    </div>
  );
}

function contactsOf({ contacts: { total, totalIsExact } }: Label): string {
  return totalIsExact ? counted(total, 'contact') : `${countText(total)}+ contacts`;
}

function NewLabel({ count }: { count: number }) {
  const refusal = useRefusal('admin');
  const [name, setName] = useState('');
  const [chosen, setColour] = useState<LabelColour>();
  const colour = chosen ?? LABEL_COLOURS[(count + 1) % LABEL_COLOURS.length] ?? 'grey';
  const create = useChange(() => must(api.POST('/console/v1/labels', { body: { name: name.trim(), colour } })), {
    done: 'Label created.',
    quiet: true,
  });
  return (
    <Form
      className="stack-2"
      isGuarded={false}
      onSubmit={() =>
        create.mutate(undefined, {
          onSuccess: () => {
            setName('');
            setColour(undefined);
          },
        })
      }
    >
      <TextField
        label="New label"
        value={name}
        onChange={setName}
        fault={create.error?.faultOf('name') ?? create.error?.message}
        input={{ maxLength: MOST_CHARACTERS, readOnly: refusal !== undefined, dir: 'auto' }}
      />
      <Colours value={colour} onChange={setColour} isDisabled={refusal !== undefined} />
      <div>
        <Button
          type="submit"
          size="sm"
          isBusy={create.isPending}
          refusal={refusal ?? (name.trim() ? undefined : 'Enter a name')}
        >
          Create label
        </Button>
      </div>
    </Form>
  );
}

interface ColoursProps {
  value: LabelColour;
  onChange(colour: LabelColour): void;
  isDisabled?: boolean;
}

function Colours({ value, onChange, isDisabled }: ColoursProps) {
  const group = useId();
  return (
    <fieldset className="plain">
      <legend className="label">Colour</legend>
      <div className="label-colours">
        {LABEL_COLOURS.map((colour) => (
          <label key={colour} className="check">
            <input
              type="radio"
              name={group}
              checked={value === colour}
              disabled={isDisabled}
              onChange={() => onChange(colour)}
            />
            <LabelChip name={colour} colour={colour} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function EditDialog({ label, onClose }: { label: Label; onClose(): void }) {
  const [name, setName] = useState(label.name);
  const [colour, setColour] = useState(label.colour);
  const params = { path: { labelId: label.id } };
  const change = useChange(
    () => must(api.PATCH('/console/v1/labels/{labelId}', { params, body: { name: name.trim(), colour } })),
    { done: 'Label saved.', quiet: true },
  );
  return (
    <Dialog
      title="Edit label"
      about={`${contactsOf(label)} with this label.`}
      onClose={onClose}
      onSubmit={() => change.mutate(undefined, { onSuccess: onClose })}
      foot={
        <>
          <span className="push" />
          <Cancel isBusy={change.isPending} onClose={onClose} />
          <Button
            type="submit"
            look="primary"
            isBusy={change.isPending}
            refusal={name.trim() ? undefined : 'Enter a name'}
          >
            Save label
          </Button>
        </>
      }
    >
      <Refused error={change.error} fields={['name']} />
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        fault={change.error?.faultOf('name')}
        input={{ maxLength: MOST_CHARACTERS, dir: 'auto' }}
      />
      <Colours value={colour} onChange={setColour} />
    </Dialog>
  );
}

function DeleteDialog({ label, onClose }: { label: Label; onClose(): void }) {
  const params = { path: { labelId: label.id } };
  const remove = useChange(() => must(api.DELETE('/console/v1/labels/{labelId}', { params })), {
    done: 'Label deleted.',
    quiet: true,
  });
  const { total } = label.contacts;
  return (
    <Confirm
      title={`Delete ${label.name}?`}
      about={
        total === 0
          ? 'No contact has this label.'
          : `It is removed from ${contactsOf(label)}. The contacts and their messages stay.`
      }
      action="Delete label"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
