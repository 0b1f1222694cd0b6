import { ShieldCheck } from 'lucide-react';
import { Fragment, useState } from 'react';
import { api, must, type Schemas } from '../api/client';
import { useList } from '../kit/data';
import { useRefusal } from '../api/session';
import { Select } from '../kit/controls';
import { Facts, Note, PageHead, Status, Time, type Tone, wordOf } from '../kit/display';
import { List } from '../kit/list';
import { Panel } from '../kit/overlays';
import { fullTime } from '../kit/times';
import { useFilters } from '../routes';

type Entry = Schemas['AuditEntry'];
type Outcome = NonNullable<Entry['outcome']>;
const TONES: Record<Outcome, Tone> = { done: 'success', refused: 'bad', unknown: 'warning' };
const KINDS = [
  'user',
  'key',
  'webhook',
  'message',
  'contact',
  'template',
  'job',
  'otp',
  'number',
  'account',
  'credits',
] as const;

function OutcomeOf({ outcome }: { outcome: Outcome | null }) {
  return outcome === null ? (
    <span className="dimmer">–</span>
  ) : (
    <Status tone={TONES[outcome]}>{wordOf(outcome)}</Status>
  );
}

/** Who changed what. */
export function Page() {
  const refusal = useRefusal('owner');
  return refusal === undefined ? (
    <Audit />
  ) : (
    <div className="page narrow">
      <PageHead title="Audit" />
      <Note tone="info">{refusal}</Note>
    </div>
  );
}

function Audit() {
  const [filters, filter] = useFilters();
  const [open, setOpen] = useState<Entry>();
  const { action, outcome, actor, target, since } = filters;
  const entries = useList(
    ['audit', filters],
    (cursor) =>
      must(
        api.GET('/console/v1/audit-log', {
          params: { query: { action, outcome: outcome as Outcome | undefined, actor, target, since, cursor } },
        }),
      ),
    (page) => page.entries,
  );
  return (
    <div className={open ? 'main split' : 'main'}>
      <div className="page narrow">
        <PageHead title="Audit" />
        <div className="filters">
          <Choice label="Kind" value={action} options={KINDS} onChange={(value) => filter({ action: value })} />
          <Choice
            label="Outcome"
            value={outcome}
            options={['done', 'refused', 'unknown']}
            onChange={(value) => filter({ outcome: value })}
          />
          <Choice
            label="Actor"
            value={actor}
            options={['operator', 'service']}
            onChange={(value) => filter({ actor: value })}
          />
          {target && (
            <span className="chip">
              <span>
                Target <span className="value mono">{target}</span>
              </span>
              <button
                type="button"
                className="x"
                aria-label="Drop the filter by target"
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
          isSelected={({ id }) => id === open?.id}
          empty={{ icon: ShieldCheck, title: 'No entries', text: 'Nothing was changed that matches the filters.' }}
          columns={[
            {
              head: 'Action',
              cell: (entry) => (
                <button type="button" className="cell link-cell" onClick={() => setOpen(entry)}>
                  {entry.action}
                </button>
              ),
            },
            {
              head: 'Target',
              hide: 'sm',
              cell: ({ target: of, targetName }) => targetName ?? <span className="mono dim">{of}</span>,
            },
            { head: 'By', cell: ({ actor: by, actorName }) => actorName ?? by },
            {
              head: 'When',
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
      {open && (
        <Panel title={open.action} onClose={() => setOpen(undefined)}>
          <Facts
            rows={[
              ['When', fullTime(open.at)],
              [
                'By',
                <Fragment key="by">
                  {open.actorName ?? open.actor} <span className="mono dimmer">{open.actorName && open.actor}</span>
                </Fragment>,
              ],
              [
                'Target',
                <Fragment key="target">
                  {open.targetName} <span className="mono dim">{open.target}</span>
                </Fragment>,
              ],
              ['Outcome', <OutcomeOf key="outcome" outcome={open.outcome} />],
              open.errorCode !== null && [
                'Why',
                <span key="why" className="mono">
                  {open.errorCode}
                </span>,
              ],
              ...Object.entries(open.details).map(
                ([name, value]) =>
                  [
                    name,
                    <span key={name} className="mono">
                      {typeof value === 'string' ? value : JSON.stringify(value)}
                    </span>,
                  ] as const,
              ),
            ]}
          />
          <button type="button" className="btn sm" onClick={() => filter({ target: open.target })}>
            All about this target
          </button>
        </Panel>
      )}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  options: readonly string[];
  onChange(value: string | undefined): void;
}

/** A filter that is one of a few. */
export function Choice({ label, value, options, onChange }: ChoiceProps) {
  const known = value && !options.includes(value) ? [value, ...options] : options;
  return (
    <Select
      isSmall
      label={label}
      value={value ?? ''}
      onChange={(chosen) => onChange(chosen || undefined)}
      options={[['', 'Any'], ...known.map((option) => [option, option] as const)]}
    />
  );
}
