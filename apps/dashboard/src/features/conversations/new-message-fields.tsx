import { Plus, X } from 'lucide-react';
import { Button, TextArea, TextField } from '../../components/controls';
import {
  type ButtonsForm,
  type CardForm,
  type ListForm,
  type ListSection,
  MOST,
  NEW_ROW,
  NEW_SECTION,
  type PlaceForm,
  placeWith,
} from './new-message-forms';

export type FaultAt = (field: string) => string | undefined;

interface FieldsProps<Form> {
  form: Form;
  change: (form: Form, field: string) => void;
  faultAt: FaultAt;
}

export function ButtonsFields({ form, change, faultAt }: FieldsProps<ButtonsForm>) {
  return (
    <>
      <TextArea
        label="Text"
        rows={3}
        meter={[form.body.length, MOST.body]}
        value={form.body}
        fault={faultAt('body')}
        onChange={(body) => change({ ...form, body }, 'body')}
      />
      {form.buttons.map((title, at) => (
        <TextField
          key={at}
          label={`Button ${at + 1}`}
          isOptional={at > 0}
          value={title}
          fault={faultAt(`buttons.${at}`)}
          onChange={(next) => change({ ...form, buttons: form.buttons.with(at, next) }, `buttons.${at}`)}
        />
      ))}
      <Footer form={form} change={change} faultAt={faultAt} />
    </>
  );
}

function Footer<Form extends { footer: string }>({ form, change, faultAt }: FieldsProps<Form>) {
  return (
    <TextField
      label="Footer"
      isOptional
      value={form.footer}
      fault={faultAt('footer')}
      onChange={(footer) => change({ ...form, footer }, 'footer')}
    />
  );
}

export function ListFields({ form, change, faultAt }: FieldsProps<ListForm>) {
  const { sections } = form;
  const setSections = (next: readonly ListSection[]): void => change({ ...form, sections: next }, 'sections');
  const count = sections.reduce((sum, { rows }) => sum + rows.length, 0);
  const refusal = count < MOST.rows ? undefined : `A list has at most ${MOST.rows} rows`;
  return (
    <>
      <TextArea
        label="Text"
        rows={3}
        meter={[form.body.length, MOST.listBody]}
        value={form.body}
        fault={faultAt('body')}
        onChange={(body) => change({ ...form, body }, 'body')}
      />
      <TextField
        label="Button"
        hint="Opens the list"
        value={form.button}
        fault={faultAt('button')}
        onChange={(button) => change({ ...form, button }, 'button')}
      />
      {sections.map((section, at) => (
        <Section
          key={at}
          section={section}
          at={at}
          isOnly={sections.length === 1}
          refusal={refusal}
          faultAt={faultAt}
          change={(next, field) => change({ ...form, sections: sections.with(at, next) }, field)}
          onRemove={() => setSections(sections.toSpliced(at, 1))}
        />
      ))}
      <div>
        <Button size="sm" icon={Plus} refusal={refusal} onClick={() => setSections([...sections, NEW_SECTION])}>
          Add section
        </Button>
      </div>
      <Footer form={form} change={change} faultAt={faultAt} />
    </>
  );
}

interface SectionProps {
  section: ListSection;
  at: number;
  isOnly: boolean;
  /** Why the list cannot have more rows. */
  refusal: string | undefined;
  faultAt: FaultAt;
  change: (section: ListSection, field: string) => void;
  onRemove(): void;
}

function Section({ section, at, isOnly, refusal, faultAt, change, onRemove }: SectionProps) {
  const { title, rows } = section;
  const field = `sections.${at}`;
  return (
    <fieldset className="plain stack-2 new-section">
      <legend className="label">Section {at + 1}</legend>
      <div className="new-row">
        <TextField
          label="Title"
          isOptional={isOnly}
          value={title}
          fault={faultAt(`${field}.title`)}
          onChange={(next) => change({ ...section, title: next }, `${field}.title`)}
        />
        <Button
          look="ghost"
          icon={X}
          className="beside"
          aria-label={`Remove section ${at + 1}`}
          refusal={isOnly ? 'A list has at least one section' : undefined}
          onClick={onRemove}
        />
      </div>
      {rows.map((row, index) => {
        const set = (next: object, name: string): void =>
          change({ ...section, rows: rows.with(index, { ...row, ...next }) }, `${field}.rows.${index}.${name}`);
        return (
          <div key={index} className="new-row two">
            <TextField
              label={`Row ${index + 1}`}
              value={row.title}
              fault={faultAt(`${field}.rows.${index}.title`)}
              onChange={(next) => set({ title: next }, 'title')}
            />
            <TextField
              label="Description"
              isOptional
              value={row.description}
              fault={faultAt(`${field}.rows.${index}.description`)}
              onChange={(next) => set({ description: next }, 'description')}
            />
            <Button
              look="ghost"
              icon={X}
              className="beside"
              aria-label={`Remove row ${index + 1}`}
              refusal={rows.length === 1 ? 'A section has at least one row' : undefined}
              onClick={() => change({ ...section, rows: rows.toSpliced(index, 1) }, `${field}.rows`)}
            />
          </div>
        );
      })}
      <div>
        <Button
          size="sm"
          icon={Plus}
          refusal={refusal}
          onClick={() => change({ ...section, rows: [...rows, NEW_ROW] }, `${field}.rows`)}
        >
          Add row
        </Button>
      </div>
    </fieldset>
  );
}

export function PlaceFields({ form, change, faultAt }: FieldsProps<PlaceForm>) {
  return (
    <>
      {(['latitude', 'longitude'] as const).map((field) => (
        <TextField
          key={field}
          label={field === 'latitude' ? 'Latitude' : 'Longitude'}
          hint={field === 'latitude' ? 'In degrees. You can paste both from a map: 12.9716, 77.5946' : undefined}
          value={form[field]}
          fault={faultAt(field)}
          onChange={(typed) => change(placeWith(form, field, typed), field)}
          input={{ inputMode: 'decimal' }}
        />
      ))}
      {(['name', 'address'] as const).map((field) => (
        <TextField
          key={field}
          label={field === 'name' ? 'Name' : 'Address'}
          isOptional
          value={form[field]}
          fault={faultAt(field)}
          onChange={(text) => change({ ...form, [field]: text }, field)}
        />
      ))}
    </>
  );
}

export function CardFields({ form, change, faultAt }: FieldsProps<CardForm>) {
  return (
    <>
      <TextField
        label="Name"
        value={form.name}
        fault={faultAt('name')}
        onChange={(name) => change({ ...form, name }, 'name')}
      />
      <TextField
        label="Phone number"
        hint="With country code"
        value={form.phone}
        fault={faultAt('phone')}
        onChange={(phone) => change({ ...form, phone }, 'phone')}
        input={{ type: 'tel', placeholder: '+91 98123 45678' }}
      />
    </>
  );
}
