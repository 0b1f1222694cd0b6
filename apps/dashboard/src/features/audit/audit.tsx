import { Link, useNavigate } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { api, must, type Schemas } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Choice } from '../../components/controls';
import { useLog, useRead } from '../../hooks/queries';
import { Facts, Failure, Note, PageHead, Skeleton, Status, Time, type Tone, wordOf } from '../../components/display';
import { oneOf, SPANS, sinceOf } from '../../lib/filters';
import { countOf, List } from '../../components/list';
import { Panel } from '../../components/overlays';
import { fullTime } from '../../lib/formats';
import { useFilters } from '../../hooks/use-filters';
import { usePathParam } from '../../hooks/use-path-param';
import { detailsOf, subjectOf, titleOf } from './audit-labels';

type Entry = Schemas['AuditEntry'];
type Outcome = NonNullable<Entry['outcome']>;
const TONES: Record<Outcome, Tone> = { done: 'success', refused: 'bad', unknown: 'warning' };
const OUTCOMES = (['done', 'refused', 'unknown'] as const).map((outcome) => [outcome, wordOf(outcome)] as const);
const KINDS = [
  ['user', 'Users'],
  ['key', 'API keys'],
  ['webhook', 'Webhooks'],
  ['message', 'Messages'],
  ['template', 'Templates'],
  ['job', 'Jobs'],
  ['otp', 'One-time passwords'],
  ['number', 'Numbers'],
  ['contact', 'Contacts'],
  ['settings', 'Settings'],
  ['retention', 'Retention'],
  ['account', 'Account'],
  ['credits', 'Credits'],
] as const;
const OTHER_ACTORS = [
  ['operator', 'Operator'],
  ['service', 'Switchboard'],
] as const;

/** Services that record their own changes. */
const SERVICES = ['jobs', 'messaging', 'webhooks'];

const nameOfActor = ({ actor, actorName }: Entry): string =>
  actorName ?? OTHER_ACTORS.find(([id]) => id === (SERVICES.includes(actor) ? 'service' : actor))?.[1] ?? actor;

function OutcomeOf({ outcome }: { outcome: Outcome | null }) {
  return outcome === null ? (
    <span className="dimmer">–</span>
  ) : (
    <Status tone={TONES[outcome]}>{wordOf(outcome)}</Status>
  );
}

export function Page() {
  const refusal = useRefusal('owner');
  return refusal === undefined ? (
    <Audit />
  ) : (
    <div className="page narrow">
      <PageHead title="Audit log" />
      <Note tone="info">{refusal}</Note>
    </div>
  );
}

function Audit() {
  const [filters, filter] = useFilters();
  const entryId = usePathParam('entryId');
  const navigate = useNavigate();
  const { action, actor, target, within } = filters;
  const outcome = oneOf(filters.outcome, OUTCOMES);
  const users = useRead(['users', 'names'], () =>
    must(api.GET('/console/v1/users', { params: { query: { limit: 100 } } })),
  );
  const entries = useLog(
    ['audit', { action, outcome, actor, target, within }],
    (cursor) =>
      must(
        api.GET('/console/v1/audit-log', {
          params: { query: { action, outcome, actor, target, since: sinceOf(within), cursor } },
        }),
      ),
    (page) => page.entries,
    { keyOf: ({ id }) => id },
  );
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <div className={entryId ? 'main split' : 'main'}>
      <div className="page narrow">
        <PageHead title="Audit log" count={countOf(entries)} />
        <div className="filters">
          <Choice label="Resource" value={action} options={KINDS} onChange={(value) => filter({ action: value })} />
          <Choice
            label="Actor"
            value={actor}
            options={[...(users.data?.users ?? []).map(({ id, name }) => [id, name] as const), ...OTHER_ACTORS]}
            onChange={(value) => filter({ actor: value })}
          />
          <Choice label="Outcome" value={outcome} options={OUTCOMES} onChange={(value) => filter({ outcome: value })} />
          <Choice
            label="Time"
            value={oneOf(within, SPANS)}
            options={SPANS}
            onChange={(value) => filter({ within: value })}
          />
          {target && (
            <span className="chip">
              <span>
                Target <span className="value mono cut">{target}</span>
              </span>
              <button
                type="button"
                className="x"
                aria-label="Remove target filter"
                onClick={() => filter({ target: undefined })}
              >
                ×
              </button>
            </span>
          )}
        </div>
        <List
          label="Audit log"
          list={entries}
          keyOf={({ id }) => id}
          isSelected={({ id }) => id === entryId}
          empty={{
            icon: ShieldCheck,
            title: isFiltered ? 'No entries match' : 'No entries',
            text: isFiltered ? 'No entries match the current filters.' : 'Changes to this account appear here.',
            action: isFiltered && (
              <Link className="btn" to="/audit">
                Clear filters
              </Link>
            ),
          }}
          columns={[
            {
              head: 'Action',
              cell: (entry) => (
                <Link className="cell" to="/audit/$entryId" params={{ entryId: entry.id }} search={true}>
                  {titleOf(entry)}
                </Link>
              ),
            },
            {
              head: 'Target',
              hide: 'sm',
              cell: (entry) => subjectOf(entry) ?? <span className="mono dim">{entry.target}</span>,
            },
            { head: 'Actor', cell: (entry) => nameOfActor(entry) },
            {
              head: 'Time',
              cell: ({ at }) => (
                <span className="dim">
                  <Time at={at} />
                </span>
              ),
            },
            { head: 'Outcome', hide: 'sm', cell: ({ outcome: of }) => <OutcomeOf outcome={of} /> },
          ]}
        />
      </div>
      {entryId && (
        <EntryPanel
          key={entryId}
          entryId={entryId}
          known={entries.rows.find(({ id }) => id === entryId)}
          onFilter={(id) => void navigate({ to: '/audit', search: { target: id } })}
          onClose={() => void navigate({ to: '/audit', search: true })}
        />
      )}
    </div>
  );
}

/** Links to the pages of targets, by the prefix of their IDs. */
const TARGETS: readonly (readonly [prefix: string, link: React.FC<{ id: string }>])[] = [
  [
    'job_',
    ({ id }) => (
      <Link className="btn sm" to="/jobs/$jobId" params={{ jobId: id }}>
        Open job
      </Link>
    ),
  ],
  [
    'key_',
    ({ id }) => (
      <Link className="btn sm" to="/keys/$keyId" params={{ keyId: id }}>
        Open key
      </Link>
    ),
  ],
  [
    'evt_',
    ({ id }) => (
      <Link className="btn sm" to="/integrations/webhook-log/$eventId" params={{ eventId: id }}>
        Open event
      </Link>
    ),
  ],
];

interface PanelProps {
  entryId: string;
  /** The entry, if the list has already loaded it. */
  known: Entry | undefined;
  onFilter(target: string): void;
  onClose(): void;
}

function EntryPanel({ entryId, known, onFilter, onClose }: PanelProps) {
  const read = useRead(
    ['audit', entryId],
    () => must(api.GET('/console/v1/audit-log/{entryId}', { params: { path: { entryId } } })),
    { enabled: known === undefined },
  );
  const entry = known ?? read.data?.entry;
  if (!entry)
    return (
      <Panel title="Change" onClose={onClose}>
        {read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton />}
      </Panel>
    );
  const Target = TARGETS.find(([prefix]) => entry.target.startsWith(prefix))?.[1];
  const mono = (text: string) => <span className="mono dim wrap-any">{text}</span>;
  return (
    <Panel title={titleOf(entry)} onClose={onClose}>
      <Facts
        rows={[
          ['Action', mono(entry.action)],
          ['Time', fullTime(entry.at)],
          [
            'Actor',
            <span key="by">
              {nameOfActor(entry)} {entry.actorName !== null && mono(entry.actor)}
            </span>,
          ],
          [
            'Target',
            <span key="target">
              {subjectOf(entry)} {mono(entry.target)}
            </span>,
          ],
          ['Outcome', <OutcomeOf key="outcome" outcome={entry.outcome} />],
          entry.errorCode !== null && ['Reason', mono(entry.errorCode)],
        ]}
      />
      {Object.keys(entry.details).length > 0 && (
        <section>
          <h3>Details</h3>
          <Facts rows={detailsOf(entry.details)} />
        </section>
      )}
      <div className="row wrap">
        {Target && <Target id={entry.target} />}
        <button type="button" className="btn sm" onClick={() => onFilter(entry.target)}>
          Show all changes to this target
        </button>
      </div>
    </Panel>
  );
}
