import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, must } from '../api/client';
import { useChange } from '../kit/data';
import { useRefusal } from '../api/session';
import { Button, Form, Segments, Select, TextField } from '../kit/controls';
import { Note, PageHead } from '../kit/display';
import { CATEGORIES, emptyForm, LANGUAGES, toComponents } from './template-form';

/** Name, language and category; then the editor. */
export function Page() {
  const refusal = useRefusal('admin');
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [language, setLanguage] = useState('en_US');
  const [category, setCategory] = useState('UTILITY');
  const create = useChange(
    () =>
      must(
        api.POST('/console/v1/template-drafts', {
          body: { name, language, category, components: toComponents(emptyForm(category), category) },
        }),
      ),
    { quiet: true },
  );
  const isNamed = /^[a-z0-9_]{1,512}$/.test(name);
  const submit = (): void =>
    create.mutate(undefined, {
      onSuccess: ({ draft }) => void navigate({ to: '/templates/drafts/$draftId', params: { draftId: draft.id } }),
    });
  return (
    <div className="page narrow">
      <PageHead title="New template" />
      {refusal && <Note tone="info">{refusal}</Note>}
      <Form className="fields" onSubmit={submit}>
        <TextField
          label="Name"
          hint="Lower-case letters, digits and underscores. It cannot be changed after approval."
          value={name}
          onChange={setName}
          fault={
            create.error?.faultOf('name') ??
            (name !== '' && !isNamed ? 'Lower-case letters, digits and underscores only.' : undefined)
          }
          input={{ className: 'mono', autoFocus: true, maxLength: 512, placeholder: 'order_update' }}
        />
        <Select
          label="Language"
          value={language}
          onChange={setLanguage}
          options={LANGUAGES}
          fault={create.error?.faultOf('language')}
        />
        <div className="field">
          <span className="label">Category</span>
          <Segments label="Category" value={category} onChange={setCategory} options={CATEGORIES} />
          <p className="hint">{CATEGORY_HINTS[category]}</p>
        </div>
        {create.error && !create.error.more.details?.length && <Note tone="bad">{create.error.message}</Note>}
        <div>
          <Button
            type="submit"
            look="primary"
            refusal={refusal ?? (isNamed ? undefined : 'First give it a name')}
            isBusy={create.isPending}
          >
            Write it
          </Button>
        </div>
      </Form>
    </div>
  );
}

const CATEGORY_HINTS: Record<string, string> = {
  UTILITY: 'News about something that the person ordered or asked for.',
  MARKETING: 'Offers and invitations. People can opt out of these.',
  AUTHENTICATION: 'One-time passwords. The platform writes the text.',
};
