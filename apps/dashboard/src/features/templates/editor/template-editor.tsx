import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { ApiError, api, must } from '../../../api/client';
import { useChange, useRead } from '../../../hooks/queries';
import { useMe, useRefusal } from '../../../api/session';
import { Button } from '../../../components/controls';
import { Failure, Note, PageHead, Skeleton } from '../../../components/display';
import { Confirm } from '../../../components/overlays';
import { sentenceOf } from '../../../lib/sentences';
import { usePathParam } from '../../../hooks/use-path-param';
import { FaultList, fieldsAt, goTo } from './template-bar';
import { Basics } from './template-basics';
import type { Parts } from './template-buttons';
import { CodeParts } from './template-code';
import {
  bodyOf,
  type Content,
  type DraftBody,
  found,
  type FoundFault,
  isTouched,
  standingFaults,
  storedFaults,
  writtenFaults,
} from './template-faults';
import { editRefusal, toForm } from '../shared/template-form';
import { TextParts } from './template-parts';
import { Preview } from '../shared/template-preview';
import { LeaveGuard, Saved, useAutosave } from './template-saving';
import { type Draft, DraftState } from '../template-status';

const SUBMITTING_MS = 2_000;

/** Draft editor. Validates each field during typing and submits the template. */
export function Page() {
  const draftId = usePathParam('draftId') ?? '';
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

const contentOf = ({ name, language, category, ttlSeconds, components }: Draft): Content => ({
  name,
  language,
  category,
  ttlSeconds: ttlSeconds === null ? '' : String(ttlSeconds),
  form: toForm(components, category),
});

function Editor({ draft }: { draft: Draft }) {
  const { me } = useMe();
  const navigate = useNavigate();
  const role = useRefusal('admin');
  const [content, setContent] = useState(() => contentOf(draft));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  // For a draft that WhatsApp rejected, show all errors from the start.
  const [isTried, setTried] = useState(draft.state === 'refused');
  const [foundFaults, setFound] = useState<FoundFault[]>([]);
  const [isDeleting, setDeleting] = useState(false);
  const body = bodyOf(content);
  const isOpen = draft.state === 'draft' || draft.state === 'refused';
  const unknown = editRefusal(content.form);
  const refusal = role ?? unknown ?? (isOpen ? undefined : 'The draft has been submitted to the platform');
  const learn = (error: Error, of: DraftBody): void => {
    if (error instanceof ApiError) setFound(found(error.more.details ?? [], of));
  };
  const saving = useAutosave(draft, body, { isOpen: refusal === undefined, onRefusal: learn });
  const params = { path: { draftId: draft.id } };
  const submit = useChange(
    async () => {
      await saving.saver.flush();
      return must(api.POST('/console/v1/template-drafts/{draftId}/submit', { params }));
    },
    { quiet: true },
  );
  const remove = useChange(() => must(api.DELETE('/console/v1/template-drafts/{draftId}', { params })), {
    done: 'Draft deleted.',
    quiet: true,
  });
  const written = writtenFaults(content);
  const known = useMemo(() => storedFaults(draft, contentOf(draft)), [draft]);
  const shown = isTried ? written : written.filter(({ field }) => isTouched(field, touched));
  const faults = unknown === undefined ? standingFaults(shown, [...known, ...foundFaults], body) : [];
  const touch = (target: EventTarget): void => {
    const fields = fieldsAt(target).filter((field) => !touched.has(field));
    if (fields.length > 0) setTouched(new Set([...touched, ...fields]));
  };
  const handIn = (): void => {
    const [first] = written;
    if (!first) return submit.mutate(undefined, { onError: (error) => learn(error, body) });
    setTried(true);
    goTo(first.field);
  };
  const faultOf: Parts['faultOf'] = (...fields) => {
    const fault = faults.find(({ field }) => fields.includes(field));
    return fault && sentenceOf(fault.message);
  };
  const set: Parts['set'] = (changed) =>
    setContent(({ form, ...rest }) => ({
      ...rest,
      form: { ...form, ...(typeof changed === 'function' ? changed(form) : changed) },
    }));
  const { form, category, language } = content;
  const parts = { form, category, set, faultOf };
  return (
    <div className="editor">
      <div className="editor-form">
        <div className="page">
          <PageHead title={content.name} status={<DraftState draft={draft} isBoxed />} count={language}>
            <Button
              size="sm"
              look="danger-quiet"
              icon={Trash2}
              refusal={role ?? (isOpen ? undefined : 'The draft has been submitted to the platform')}
              onClick={() => setDeleting(true)}
            >
              Delete
            </Button>
          </PageHead>
          {draft.problem !== null && (
            <Note tone={draft.state === 'refused' ? 'bad' : 'info'}>
              {draft.state === 'refused' ? 'Rejected by the platform: ' : ''}
              {draft.problem}
            </Note>
          )}
          {(role ?? unknown) && <Note tone="info">{role ?? unknown}</Note>}
          <fieldset
            className="plain"
            disabled={refusal !== undefined}
            onInput={({ target }) => touch(target)}
            onClick={({ target }) => {
              // Type choices are toggle buttons.
              if (target instanceof Element && target.closest('[aria-pressed]')) touch(target);
            }}
          >
            <Basics
              content={content}
              faultOf={faultOf}
              isEdit={draft.kind === 'edit'}
              change={(changed) => setContent((now) => ({ ...now, ...changed }))}
            />
            {category === 'AUTHENTICATION' ? <CodeParts {...parts} /> : <TextParts {...parts} />}
          </fieldset>
        </div>
        <div className="sticky">
          {submit.error && !submit.error.more.details?.length && (
            <p className="fault whole" role="alert">
              Not submitted: {submit.error.message}
            </p>
          )}
          {unknown === undefined && <FaultList faults={faults} form={form} isComplete={written.length === 0} />}
          <Saved {...saving} />
          <Button refusal={refusal} onClick={() => void saving.saver.flush().catch(() => undefined)}>
            Save draft
          </Button>
          <Button
            look="primary"
            isBusy={submit.isPending || draft.state === 'submitting'}
            refusal={refusal}
            onClick={handIn}
          >
            {draft.state === 'submitting' ? 'Submitted' : 'Submit for approval'}
          </Button>
        </div>
      </div>
      <Preview form={form} language={language} category={category} account={me.account.name} />
      <LeaveGuard {...saving} />
      {isDeleting && (
        <Confirm
          title="Delete draft?"
          about="The content of the draft is deleted. Existing templates are not affected."
          action="Delete draft"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/templates', ignoreBlocker: true }) })
          }
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  );
}
