import { contentFaults, type Fault, toDraftContent } from '@switchboard/template-rules';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { CircleAlert, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ApiError, api, must } from '../api/client';
import { useChange, useRead } from '../kit/data';
import { useMe, useRefusal } from '../api/session';
import { Button, Segments, Select, TextField } from '../kit/controls';
import { Failure, Note, PageHead, Skeleton } from '../kit/display';
import { Confirm } from '../kit/overlays';
import { clockTime } from '../kit/times';
import { usePart } from '../routes';
import { CATEGORIES, LANGUAGES, type TemplateForm, toComponents, toForm } from './template-form';
import { Preview } from './template-preview';
import { type Draft, DraftState } from './templates';
import { TextParts, CodeParts } from './template-parts';

const SUBMITTING_MS = 2_000;
/** A draft is saved when nothing was typed for so long. */
const AUTOSAVE_MS = 1_500;

/** Writes a draft, shows each fault at its field while somebody types, and submits it. */
export function Page() {
  const draftId = usePart('draftId') ?? '';
  const read = useRead(
    ['template-drafts', draftId],
    () => must(api.GET('/console/v1/template-drafts/{draftId}', { params: { path: { draftId } } })),
    { everyMs: (data) => (data?.draft.state === 'submitting' ? SUBMITTING_MS : undefined) },
  );
  const navigate = useNavigate();
  const draft = read.data?.draft;
  const templateId = draft?.state === 'submitted' ? draft.templateId : null;
  useEffect(() => {
    if (templateId) void navigate({ to: '/templates/$templateId', params: { templateId }, replace: true });
  }, [templateId, navigate]);
  if (!draft)
    return (
      <div className="page narrow">
        <PageHead title="Draft" />
        {read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton lines={6} />}
      </div>
    );
  return <Editor key={draft.id} draft={draft} />;
}

interface Content {
  name: string;
  language: string;
  category: string;
  form: TemplateForm;
}

const bodyOf = ({ name, language, category, form }: Content) => ({
  ...{ name, language, category },
  components: toComponents(form, category),
});

function Editor({ draft }: { draft: Draft }) {
  const { me } = useMe();
  const navigate = useNavigate();
  const role = useRefusal('admin');
  const [content, setContent] = useState<Content>(() => ({
    ...{ name: draft.name, language: draft.language, category: draft.category },
    form: toForm(draft.components, draft.category),
  }));
  const [asked, ask] = useState<'delete'>();
  const { save, saved, isDirty } = useAutosave(draft, content, role === undefined);
  const params = { path: { draftId: draft.id } };
  const submit = useChange(async () => {
    await save();
    return must(api.POST('/console/v1/template-drafts/{draftId}/submit', { params }));
  });
  const remove = useChange(() => must(api.DELETE('/console/v1/template-drafts/{draftId}', { params })), {
    done: 'The draft is deleted.',
  });
  const isOpen = draft.state === 'draft' || draft.state === 'refused';
  const refusal = role ?? (isOpen ? undefined : 'It is with the platform now');
  const faults = contentFaults(toDraftContent(bodyOf(content)));
  const { form, category, language } = content;
  const set = (changed: Partial<TemplateForm>): void => setContent({ ...content, form: { ...form, ...changed } });
  const faultOf = (...fields: string[]): string | undefined =>
    faults.find(({ field }) => fields.includes(field))?.message;
  const parts = { form, set, faultOf };
  return (
    <div className="editor">
      <div className="editor-form">
        <div className="page">
          <PageHead title={content.name} status={<DraftState draft={draft} isBoxed />}>
            <Button size="sm" look="danger-quiet" icon={Trash2} refusal={refusal} onClick={() => ask('delete')}>
              Delete
            </Button>
          </PageHead>
          {draft.problem !== null && (
            <Note tone={draft.state === 'refused' ? 'bad' : 'info'}>
              {draft.state === 'refused' ? 'The platform refused it: ' : ''}
              {draft.problem}
            </Note>
          )}
          {role !== undefined && <Note tone="info">{role}</Note>}
          <fieldset className="plain" disabled={refusal !== undefined}>
            <section className="fieldset">
              <h2>
                Basics<small>Fixed once approved</small>
              </h2>
              <div className="stack">
                <div className="two">
                  <TextField
                    label="Name"
                    value={content.name}
                    onChange={(name) => setContent({ ...content, name })}
                    fault={faultOf('name')}
                    input={{ className: 'mono', maxLength: 512, readOnly: draft.kind === 'edit' }}
                  />
                  <Select
                    label="Language"
                    value={language}
                    onChange={(value) => setContent({ ...content, language: value })}
                    options={
                      LANGUAGES.some(([code]) => code === language) ? LANGUAGES : [[language, language], ...LANGUAGES]
                    }
                    fault={faultOf('language')}
                  />
                </div>
                <div className="field">
                  <span className="label">Category</span>
                  <Segments
                    label="Category"
                    value={category}
                    onChange={(value) => setContent({ ...content, category: value })}
                    options={CATEGORIES}
                  />
                </div>
              </div>
            </section>
            {category === 'AUTHENTICATION' ? <CodeParts {...parts} /> : <TextParts {...parts} />}
          </fieldset>
        </div>
        <div className="sticky">
          <FaultCount faults={faults} />
          <span className="push dimmer hide-sm">
            {isDirty ? 'Not saved yet' : saved && `Saved ${clockTime(saved)}`}
          </span>
          <Button refusal={refusal} onClick={() => void save()}>
            Save draft
          </Button>
          <Button
            look="primary"
            isBusy={submit.isPending || draft.state === 'submitting'}
            refusal={refusal ?? (faults.length > 0 ? `First clear the ${faults.length} faults` : undefined)}
            onClick={() => submit.mutate(undefined)}
          >
            {draft.state === 'submitting' ? 'With the platform' : 'Submit for approval'}
          </Button>
        </div>
      </div>
      <Preview form={form} language={language} category={category} account={me.account.name} />
      {asked === 'delete' && (
        <Confirm
          title="Delete the draft?"
          about="What you wrote is gone then. A template that exists stays as it is."
          action="Delete draft"
          isBusy={remove.isPending}
          onConfirm={() =>
            remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/templates', ignoreBlocker: true }) })
          }
          onClose={() => ask(undefined)}
        />
      )}
    </div>
  );
}

/** Saves what is typed a moment after the last key, and before the page is left. */
function useAutosave(draft: Draft, content: Content, isAllowed: boolean) {
  const written = JSON.stringify(bodyOf(content));
  const [kept, setKept] = useState(written);
  const [saved, setSaved] = useState<string>();
  const latest = useRef(written);
  latest.current = written;
  const isOpen = isAllowed && (draft.state === 'draft' || draft.state === 'refused');
  const isDirty = isOpen && written !== kept;
  const change = useChange((body: string) =>
    must(
      api.PATCH('/console/v1/template-drafts/{draftId}', {
        params: { path: { draftId: draft.id } },
        body: JSON.parse(body) as ReturnType<typeof bodyOf>,
      }),
    ),
  );
  const save = async (): Promise<void> => {
    if (!isDirty) return;
    const sent = latest.current;
    await change.mutateAsync(sent);
    setKept(sent);
    setSaved(new Date().toISOString());
  };
  const run = useRef(save);
  run.current = save;
  useEffect(() => {
    if (!isDirty) return undefined;
    const timer = setTimeout(
      () =>
        void run.current().catch((error: unknown) => {
          if (!(error instanceof ApiError)) throw error;
        }),
      AUTOSAVE_MS,
    );
    return () => clearTimeout(timer);
  }, [written, isDirty]);
  useBlocker({
    enableBeforeUnload: () => isDirty,
    shouldBlockFn: async () => {
      await run.current();
      return false;
    },
  });
  return { save, saved, isDirty };
}

function FaultCount({ faults }: { faults: readonly Fault[] }) {
  if (faults.length === 0) return <span className="dim">No faults</span>;
  return (
    <span className="fault strong">
      <CircleAlert className="i" aria-hidden />
      {faults.length} {faults.length === 1 ? 'fault' : 'faults'}
    </span>
  );
}
