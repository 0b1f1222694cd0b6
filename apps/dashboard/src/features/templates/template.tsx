import { Link, useNavigate } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, Clock, Layers, Pencil, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useChange, useList, useRead } from '../../hooks/queries';
import { useMe, useRefusal } from '../../api/session';
import { Button } from '../../components/controls';
import { Code, Facts, Failure, Note, PageHead, Skeleton, Status, Time, wordOf } from '../../components/display';
import { Confirm } from '../../components/overlays';
import { usePathParam } from '../../hooks/use-path-param';
import { askedOf, samplesOf, sentTemplate } from './shared/send-values';
import { sharedBy } from './shared-template';
import { happenedText } from './template-history';
import { editRefusal, toForm } from './shared/template-form';
import { Preview } from './shared/template-preview';
import { TONES } from './template-status';
import { TestSend } from './test-send';

const PENDING_MS = 2_000;
/** Time after opening during which the page polls: a submitted edit appears only after a synchronization. */
const AFTER_OPENING_MS = 30_000;

export function Page() {
  const templateId = usePathParam('templateId') ?? '';
  const params = { path: { templateId } };
  const { me } = useMe();
  const navigate = useNavigate();
  const refusal = useRefusal('admin');
  const [isDeleting, setDeleting] = useState(false);
  const [isSending, setSending] = useState(false);
  const [openedAt] = useState(() => Date.now());
  const read = useRead(
    ['templates', templateId],
    () => must(api.GET('/console/v1/templates/{templateId}', { params })),
    {
      everyMs: (data) =>
        data?.template.status === 'PENDING' || Date.now() - openedAt < AFTER_OPENING_MS ? PENDING_MS : undefined,
    },
  );
  const edit = useChange(() => must(api.POST('/console/v1/templates/{templateId}/edit', { params })));
  const remove = useChange(() => must(api.DELETE('/console/v1/templates/{templateId}', { params })), {
    done: 'Template deleted.',
    quiet: true,
  });
  const template = read.data?.template;
  if (!template)
    return (
      <div className="page narrow">
        <PageHead title="Template" />
        {read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton lines={6} />}
      </div>
    );
  const { name, language, category, status, upstreamStatus, reason, recommendation, qualityScore, components } =
    template;
  const form = toForm(components, category);
  const unknown = editRefusal(form);
  return (
    <div className="editor">
      <div className="editor-form">
        <div className="page">
          <PageHead
            title={name}
            status={
              <Status tone={TONES[status]} isBoxed>
                {wordOf(status)}
              </Status>
            }
            count={language}
          >
            {status === 'APPROVED' && category !== 'AUTHENTICATION' && (
              <Link className="btn primary sm" to="/jobs/new" search={{ template: template.id }}>
                <Layers className="i" aria-hidden />
                New job
              </Link>
            )}
            <Button
              size="sm"
              icon={Send}
              refusal={refusal ?? (status === 'APPROVED' ? undefined : 'The template is not approved yet')}
              onClick={() => setSending(true)}
            >
              Test send
            </Button>
            <Button
              size="sm"
              icon={Pencil}
              refusal={refusal ?? (status === 'PENDING' ? 'The platform is reviewing the template' : unknown)}
              isBusy={edit.isPending}
              onClick={() =>
                edit.mutate(undefined, {
                  onSuccess: ({ draft }) =>
                    void navigate({ to: '/templates/drafts/$draftId', params: { draftId: draft.id } }),
                })
              }
            >
              Edit
            </Button>
            <Button size="sm" look="danger-quiet" icon={Trash2} refusal={refusal} onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </PageHead>
          <div className="stack">
            {read.error && <Failure error={read.error} onRetry={() => void read.refetch()} />}
            {status === 'PENDING' && (
              <Note tone="info">The platform is reviewing the template. This page updates automatically.</Note>
            )}
            {[form, ...form.cards].some(({ headerFile }) => /^https?:/i.test(headerFile)) && (
              <Note tone="info">
                Only the platform has the header file that this template was submitted with, so it cannot be shown here.
                Choose a file when you send the template.
              </Note>
            )}
            {unknown !== undefined && <Note tone="info">{unknown}</Note>}
            {reason !== null && (
              <Note tone={status === 'REJECTED' ? 'bad' : 'warning'}>
                {status === 'REJECTED' ? 'Rejected: ' : ''}
                {reason}
                {recommendation !== null && <p>{recommendation}</p>}
              </Note>
            )}
            <Facts
              rows={[
                ['Category', wordOf(category)],
                upstreamStatus !== status && ['Platform status', upstreamStatus],
                qualityScore !== null && ['Quality', qualityScore],
                ['Changed', <Time key="changed" at={template.updatedAt} />],
                [
                  'Jobs',
                  <Link key="jobs" className="link" to="/jobs" search={{ search: name.slice(0, 100) }}>
                    Jobs with this template
                  </Link>,
                ],
              ]}
            />
            <History templateId={templateId} />
            <details className="rows">
              <summary>For developers</summary>
              <p className="hint">
                Template ID: <span className="mono">{template.id}</span>
              </p>
              <Code title="Sample request" text={JSON.stringify(sampleSend(template), null, 2)} />
            </details>
          </div>
        </div>
      </div>
      <Preview form={form} language={language} category={category} account={me.account.name} />
      {isSending && <TestSend template={template} form={form} onClose={() => setSending(false)} />}
      {isDeleting && (
        <Confirm
          title={`Delete ${name}?`}
          about={`The template is deleted on the platform. Messages that use it are rejected, and its name cannot be reused for 30 days.${sharedBy(template.otherAccounts)}`}
          action="Delete template"
          word={name}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/templates' }) })}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  );
}

/** Returns a sample send request for the public API; variables without a sample use their names. */
function sampleSend(template: Schemas['ManagedTemplate']): object {
  const shown = askedOf(template).map((variable) => {
    const { key, sample, isOptional } = variable;
    return { ...variable, sample: sample || (isOptional ? '' : `<${key}>`) };
  });
  return { to: '919812345678', type: 'template', template: sentTemplate(template, samplesOf(shown)) };
}

function History({ templateId }: { templateId: string }) {
  const events = useList(
    ['templates', templateId, 'events'],
    (cursor) =>
      must(
        api.GET('/console/v1/templates/{templateId}/events', { params: { path: { templateId }, query: { cursor } } }),
      ),
    (page) => page.events,
  );
  return (
    <section>
      <h2>History</h2>
      {events.error && <Failure error={events.error} onRetry={() => void events.refetch()} />}
      <ol className="timeline">
        {events.rows.map((event) => (
          <Happened key={event.id} event={event} />
        ))}
        {events.rows.length === 0 && !events.isPending && <li className="dimmer">No events yet.</li>}
      </ol>
      {events.hasNextPage && (
        <Button size="sm" onClick={() => void events.fetchNextPage()}>
          Show more
        </Button>
      )}
    </section>
  );
}

function Happened({ event }: { event: Schemas['TemplateEvent'] }) {
  const { at, status, reason } = event;
  const [look, Icon] =
    status === 'APPROVED'
      ? (['good', CircleCheck] as const)
      : status === 'REJECTED'
        ? (['bad', CircleAlert] as const)
        : (['idle', Clock] as const);
  return (
    <li className={look}>
      <Icon className="i" aria-hidden />
      <span>{happenedText(event)}</span>
      <Time at={at} />
      {reason !== null && <p>{reason}</p>}
    </li>
  );
}
