import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, must } from '../../api/client';
import { useChange, useRead } from '../../hooks/queries';
import { useRefusal } from '../../api/session';
import { Button, Form, Segments, Select, TextField } from '../../components/controls';
import { Failure, Note, PageHead, Refused } from '../../components/display';
import { sentenceOf } from '../../lib/sentences';
import { CATEGORIES, CATEGORY_HINTS, LANGUAGES, templateNameOf } from './shared/template-choices';
import { emptyForm, toComponents } from './shared/template-form';

export function Page() {
  const refusal = useRefusal('admin');
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [language, setLanguage] = useState('en_US');
  const [category, setCategory] = useState('UTILITY');
  const [chosen, setWabaId] = useState<string>();
  const sync = useRead(['template-sync'], () => must(api.GET('/console/v1/template-sync')));
  const businesses = sync.data?.businesses.map(({ wabaId }) => wabaId) ?? [];
  const wabaId = chosen ?? businesses[0];
  const create = useChange(
    () =>
      must(
        api.POST('/console/v1/template-drafts', {
          body: {
            name,
            language,
            category,
            components: toComponents(emptyForm(), category),
            ...(wabaId !== undefined && { wabaId }),
          },
        }),
      ),
    { quiet: true },
  );
  const faultOf = (field: string): string | undefined => {
    const fault = create.error?.faultOf(field);
    return fault && sentenceOf(fault);
  };
  const isNamed = /^[a-z0-9_]{1,512}$/.test(name);
  const submit = (): void =>
    create.mutate(undefined, {
      onSuccess: ({ draft }) => void navigate({ to: '/templates/drafts/$draftId', params: { draftId: draft.id } }),
    });
  return (
    <div className="page narrow">
      <PageHead title="New template" />
      {refusal && <Note tone="info">{refusal}</Note>}
      <Form className="fields" isGuarded={false} onSubmit={submit}>
        <TextField
          label="Name"
          hint="Lowercase letters, digits and underscores. Cannot be changed after approval."
          value={name}
          onChange={(text) => setName(templateNameOf(text))}
          fault={
            faultOf('name') ??
            (name !== '' && !isNamed ? 'Use only lowercase letters, digits and underscores.' : undefined)
          }
          input={{ className: 'mono', autoFocus: true, maxLength: 512, placeholder: 'order_update' }}
        />
        {faultOf('name') !== undefined && <SameDraft name={name} language={language} />}
        {businesses.length > 1 && (
          <Select
            label="Business account"
            hint="The numbers of this business account on the platform can send the template."
            value={wabaId ?? ''}
            onChange={setWabaId}
            options={businesses.map((id) => [id, id] as const)}
            fault={faultOf('wabaId')}
          />
        )}
        <Select
          label="Language"
          value={language}
          onChange={setLanguage}
          options={LANGUAGES}
          fault={faultOf('language')}
        />
        <div className="field">
          <span className="label">Category</span>
          <Segments label="Category" value={category} onChange={setCategory} options={CATEGORIES} />
          <p className="hint">{CATEGORY_HINTS[category]}</p>
        </div>
        {sync.error && <Failure error={sync.error} onRetry={() => void sync.refetch()} />}
        <Refused error={create.error} fields={['name', 'language', ...(businesses.length > 1 ? ['wabaId'] : [])]} />
        <div>
          <Button
            type="submit"
            look="primary"
            refusal={refusal ?? (isNamed ? undefined : 'Enter a name')}
            isBusy={create.isPending}
          >
            Continue to the editor
          </Button>
        </div>
      </Form>
    </div>
  );
}

/** Most drafts to search for one of the same name, in one request. */
const MOST_DRAFTS = 100;

/** Link to the open draft of the same name and language, if there is one. */
function SameDraft({ name, language }: { name: string; language: string }) {
  const { data } = useRead(['template-drafts', 'same', name, language], () =>
    must(api.GET('/console/v1/template-drafts', { params: { query: { limit: MOST_DRAFTS } } })),
  );
  const draft = data?.drafts.find((one) => one.name === name && one.language === language && one.state !== 'submitted');
  if (!draft) return null;
  return (
    <p className="small">
      <Link className="link" to="/templates/drafts/$draftId" params={{ draftId: draft.id }}>
        Open the draft {name}
      </Link>
    </p>
  );
}
