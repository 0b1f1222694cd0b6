import { Link } from '@tanstack/react-router';
import { LayoutTemplate, Plus, RefreshCw } from 'lucide-react';
import { Fragment } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useChange, useList, useRead } from '../../hooks/queries';
import { useRefusal } from '../../api/session';
import { Button, Choice } from '../../components/controls';
import { Note, PageHead, Status, Time, wordOf } from '../../components/display';
import { oneOf } from '../../lib/filters';
import { List } from '../../components/list';
import { SearchBox } from '../../components/search-box';
import { fullTime } from '../../lib/formats';
import { useFilters } from '../../hooks/use-filters';
import { templateNameOf } from './shared/template-choices';
import { DraftState, TONES } from './template-status';

const STATUSES = ['APPROVED', 'PENDING', 'REJECTED', 'FLAGGED', 'DISABLED'] as const;
const CATEGORIES = ['AUTHENTICATION', 'MARKETING', 'UTILITY'] as const;
const STATUS_CHOICES = STATUSES.map((each) => [each, wordOf(each)] as const);
const CATEGORY_CHOICES = CATEGORIES.map((each) => [each, wordOf(each)] as const);
const UNSETTLED_MS = 2_000;
const LOOK_MS = 10_000;

export function Page() {
  const [filters, filter] = useFilters();
  const refusal = useRefusal('admin');
  const { name } = filters;
  const status = oneOf(filters.status, STATUSES);
  const category = oneOf(filters.category, CATEGORIES);
  const templates = useList(
    ['templates', filters],
    (cursor) =>
      must(
        api.GET('/console/v1/templates', {
          params: { query: { status, category, name, cursor } },
        }),
      ),
    (page) => page.templates,
    { everyMs: (rows) => (rows.some((template) => template.status === 'PENDING') ? UNSETTLED_MS : LOOK_MS) },
  );
  const drafts = useList(
    ['template-drafts'],
    (cursor) => must(api.GET('/console/v1/template-drafts', { params: { query: { cursor } } })),
    (page) => page.drafts,
    { everyMs: (rows) => (rows.some(({ state }) => state === 'submitting') ? UNSETTLED_MS : undefined) },
  );
  const isFiltered = [status, category, name].some((filtered) => filtered !== undefined);
  // Drafts have no status of the platform, so a filter by it hides them.
  const isShown = (draft: Schemas['TemplateDraft']): boolean =>
    draft.state !== 'submitted' &&
    status === undefined &&
    (category === undefined || draft.category === category) &&
    draft.name.includes(name ?? '');
  const open = { ...drafts, rows: drafts.rows.filter(isShown) };
  return (
    <div className="page narrow">
      <PageHead title="Templates" count={countOf(templates)}>
        <Sync refusal={refusal} />
        <NewTemplate refusal={refusal} />
      </PageHead>
      <div className="filters">
        <SearchBox
          label="Search by name"
          placeholder="Name"
          value={name ?? ''}
          filterOf={templateNameOf}
          onChange={(text) => filter({ name: text }, { isTyped: true })}
          isWhole={() => true}
        />
        <Choice
          label="Status"
          value={status}
          options={STATUS_CHOICES}
          onChange={(value) => filter({ status: value })}
        />
        <Choice
          label="Category"
          value={category}
          options={CATEGORY_CHOICES}
          onChange={(value) => filter({ category: value })}
        />
      </div>
      {open.rows.length > 0 && (
        <section>
          <div className="section-head">
            <h2>Drafts</h2>
          </div>
          <List
            label="Drafts"
            list={open}
            keyOf={({ id }) => id}
            empty={{ icon: LayoutTemplate, title: 'No drafts', text: '' }}
            columns={[
              {
                head: 'Name',
                isWide: true,
                cell: ({ id, name: of }) => (
                  <Link className="cell" to="/templates/drafts/$draftId" params={{ draftId: id }}>
                    <NameText name={of} />
                  </Link>
                ),
              },
              { head: 'Language', cell: ({ language }) => <span className="dim">{language}</span> },
              {
                head: 'Type',
                hide: 'sm',
                cell: ({ kind }) => <span className="dim">{kind === 'create' ? 'New' : 'Edit'}</span>,
              },
              {
                head: 'Saved',
                hide: 'sm',
                cell: ({ updatedAt }) => (
                  <span className="dim">
                    <Time at={updatedAt} />
                  </span>
                ),
              },
              { head: 'Status', cell: (draft) => <DraftState draft={draft} /> },
            ]}
          />
        </section>
      )}
      <section className={open.rows.length > 0 ? 'section' : ''}>
        {open.rows.length > 0 && (
          <div className="section-head">
            <h2>Submitted templates</h2>
          </div>
        )}
        <List
          label="Templates"
          list={templates}
          keyOf={({ id }) => id}
          empty={
            isFiltered
              ? { icon: LayoutTemplate, title: 'No templates', text: 'No templates match the current filters.' }
              : {
                  icon: LayoutTemplate,
                  title: 'No templates yet',
                  text: 'Templates are messages approved by the platform. They are required more than 24 hours after a customer’s last message.',
                  action: <NewTemplate refusal={refusal} />,
                }
          }
          columns={[
            {
              head: 'Name',
              isWide: true,
              cell: ({ id, name: of }) => (
                <Link className="cell" to="/templates/$templateId" params={{ templateId: id }}>
                  <NameText name={of} />
                </Link>
              ),
            },
            { head: 'Language', cell: ({ language }) => <span className="dim">{language}</span> },
            { head: 'Category', hide: 'sm', cell: ({ category: of }) => <span className="dim">{wordOf(of)}</span> },
            {
              head: 'Changed',
              hide: 'sm',
              cell: ({ updatedAt }) => (
                <span className="dim">
                  <Time at={updatedAt} />
                </span>
              ),
            },
            { head: 'Status', cell: ({ status: of }) => <Status tone={TONES[of]}>{wordOf(of)}</Status> },
          ]}
        />
      </section>
    </div>
  );
}

/** Name of a template, which breaks after its underscores. */
function NameText({ name }: { name: string }) {
  return name.split(/(?<=_)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

function countOf({ rows, isPending, hasNextPage }: { rows: unknown[]; isPending: boolean; hasNextPage: boolean }) {
  return isPending ? undefined : `${rows.length}${hasNextPage ? '+' : ''}`;
}

function NewTemplate({ refusal }: { refusal: string | undefined }) {
  return refusal === undefined ? (
    <Link className="btn primary sm" to="/templates/new">
      <Plus className="i" aria-hidden />
      New template
    </Link>
  ) : (
    <Button look="primary" size="sm" icon={Plus} refusal={refusal}>
      New template
    </Button>
  );
}

function Sync({ refusal }: { refusal: string | undefined }) {
  const read = useRead(['template-sync'], () => must(api.GET('/console/v1/template-sync')), {
    everyMs: (data) =>
      data?.businesses.some(({ state, requestedAt }) => state === 'reading' || (state === 'waiting' && requestedAt))
        ? UNSETTLED_MS
        : undefined,
  });
  const request = useChange(() => must(api.POST('/console/v1/template-sync')), {
    done: 'Synchronization started.',
  });
  const [first] = read.data?.businesses ?? [];
  const isReading = first?.state === 'reading';
  return (
    <>
      {first?.problem && <Note tone="warning">{first.problem}</Note>}
      <Button
        size="sm"
        icon={RefreshCw}
        refusal={refusal}
        isBusy={isReading || request.isPending}
        title={first?.lastReadAt ? `Last synchronized ${fullTime(first.lastReadAt)}` : undefined}
        onClick={() => request.mutate(undefined)}
      >
        {isReading ? `Synchronizing, ${first.templatesRead} so far` : 'Sync'}
      </Button>
    </>
  );
}
