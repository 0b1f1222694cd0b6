import { Link, useNavigate } from '@tanstack/react-router';
import { Megaphone, Phone } from 'lucide-react';
import { api, must, type Schemas } from '../../api/client';
import { useList, useRead } from '../../hooks/queries';
import { StepChart } from '../../components/charts';
import { Facts, Failure, Note, PageHead, Skeleton, Status, Time, type Tone, wordOf } from '../../components/display';
import { List } from '../../components/list';
import { Panel } from '../../components/overlays';
import { fullTime } from '../../lib/times';
import { usePathParam } from '../../hooks/use-path-param';
import { Connection } from './number-connection';
import { Username } from './number-username';

type BusinessNumber = Schemas['BusinessNumber'];
type Change = Schemas['NumberChange'];
type Notice = Schemas['AccountNotice'];

const SEVERITY_TONES: Record<Notice['severity'], Tone> = { info: 'info', warning: 'warning', critical: 'bad' };
const RESTRICTION_TEXTS: Record<string, string> = {
  RESTRICTED_BIZ_INITIATED_MESSAGING: 'Messages that start a conversation',
  RESTRICTED_CUSTOMER_INITIATED_MESSAGING: 'Answers to customers',
  RESTRICTED_ADD_PHONE_NUMBER_ACTION: 'New numbers',
};

/** From best to worst; unrated numbers are last. */
const LEVELS = ['Green', 'Yellow', 'Red', 'Unrated'] as const;
const QUALITY_TONES: Record<string, Tone> = { Green: 'success', Yellow: 'warning', Red: 'bad', Unrated: 'neutral' };
const LOOK_MS = 30_000;

const qualityOf = (rating: string | null): string =>
  LEVELS.find((level) => level.toUpperCase() === rating) ?? 'Unrated';

/** Returns `TIER_10K` as readable text. */
function limitText(limit: string | null): string {
  if (limit === null) return 'Not reported yet';
  if (limit === 'TIER_UNLIMITED') return 'No limit';
  if (!limit.startsWith('TIER_')) return limit;
  return `${limit.replace('TIER_', '').replace('K', ',000')} a day`;
}

const throughputText = (throughput: string | null): string =>
  throughput === null ? 'Not reported yet' : throughput === 'HIGH' ? 'High (1,000 a second)' : wordOf(throughput);

function Standing({ status, isBoxed = false }: { status: string; isBoxed?: boolean }) {
  const tone = status === 'CONNECTED' ? 'success' : status === 'STOPPED' ? 'bad' : 'warning';
  return (
    <Status tone={tone} isBoxed={isBoxed}>
      {wordOf(status.replaceAll('_', ' '))}
    </Status>
  );
}

function Quality({ rating }: { rating: string | null }) {
  const quality = qualityOf(rating);
  return <Status tone={QUALITY_TONES[quality] ?? 'neutral'}>{quality}</Status>;
}

/** Business numbers and their health, with one of them in a side panel. */
export function Page() {
  const numberId = usePathParam('numberId');
  const navigate = useNavigate();
  const read = useRead(['numbers'], () => must(api.GET('/console/v1/numbers')), { everyMs: () => LOOK_MS });
  const numbers = read.data?.numbers;
  return (
    <div className={numberId ? 'main split' : 'main'}>
      <div className="page narrow">
        <PageHead title="Numbers" {...(numbers && { count: numbers.length })} />
        <List<BusinessNumber>
          label="Numbers"
          list={{ ...read, rows: numbers ?? [] }}
          keyOf={({ id }) => id}
          isSelected={({ id }) => id === numberId}
          empty={{
            icon: Phone,
            title: 'No numbers',
            text: 'Messages are sent from a business number of yours. The operator of this installation connects it.',
          }}
          columns={[
            {
              head: 'Number',
              cell: ({ id, phoneNumber, isPrimary }) => (
                <>
                  <Link className="cell tn" to="/numbers/$numberId" params={{ numberId: id }}>
                    +{phoneNumber}
                  </Link>
                  {isPrimary && !numberId && <span className="dimmer hide-sm"> Primary</span>}
                </>
              ),
            },
            {
              head: 'Status',
              cell: ({ status, restrictions }) =>
                status === 'CONNECTED' && restrictions.length > 0 ? (
                  <Status tone="warning">Restricted</Status>
                ) : (
                  <Standing status={status} />
                ),
            },
            { head: 'Quality', cell: ({ qualityRating }) => <Quality rating={qualityRating} /> },
            {
              head: 'Messaging limit',
              hide: 'sm',
              cell: ({ messagingLimit }) => <span className="dim">{limitText(messagingLimit)}</span>,
            },
            {
              head: 'Last callback',
              hide: 'md',
              cell: ({ lastCallbackAt }) => (
                <span className="dim">
                  <Time at={lastCallbackAt} />
                </span>
              ),
            },
          ]}
        />
        <p className="hint">
          The limit is how many people you can write to first within 24 hours. Quality falls when people block or report
          what they get; a low one lowers the limit.
        </p>
        <Notices />
      </div>
      {numberId && (
        <NumberPanel
          key={numberId}
          numberId={numberId}
          onClose={() => void navigate({ to: '/numbers', search: true })}
        />
      )}
    </div>
  );
}

function NumberPanel({ numberId, onClose }: { numberId: string; onClose(): void }) {
  const params = { path: { numberId } };
  const read = useRead(['numbers', numberId], () => must(api.GET('/console/v1/numbers/{numberId}', { params })), {
    everyMs: () => LOOK_MS,
  });
  const number = read.data?.number;
  if (!number)
    return (
      <Panel title="Number" onClose={onClose}>
        {read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton />}
      </Panel>
    );
  return (
    <Panel title={`+${number.phoneNumber}`} status={<Standing status={number.status} isBoxed />} onClose={onClose}>
      {number.stoppedReason !== null && (
        <Note tone="bad">
          Nothing is sent from this number: {number.stoppedReason}. The operator of this installation lets it send
          again.
        </Note>
      )}
      <Restrictions number={number} />
      <Facts
        rows={[
          ['Quality', <Quality key="quality" rating={number.qualityRating} />],
          ['Messaging limit', limitText(number.messagingLimit)],
          ['Throughput', throughputText(number.throughput)],
          ['Sends', number.isPrimary ? 'Messages that name no number (primary)' : 'Messages that name it'],
          ['Last callback', <Time key="callback" at={number.lastCallbackAt} empty="None yet" />],
          number.appHistory !== null && ['History of the app', historyText(number.appHistory)],
          [
            'Id',
            <span key="id" className="mono">
              {number.id}
            </span>,
          ],
        ]}
      />
      <Connection numberId={numberId} />
      <Username numberId={numberId} />
      <History numberId={numberId} />
    </Panel>
  );
}

/** Such as “55 %, phase 1 of 0 to 2”. */
function historyText({ phase, progress, declined }: Schemas['AppHistory']): string {
  if (declined || progress === null) return 'The business did not share its history';
  return progress === 100 ? 'All of it is here' : `${progress} % is here (phase ${phase ?? 0} of 0 to 2)`;
}

/** Restrictions of the number with their end, and the decision on its display name. */
function Restrictions({ number: { restrictions, businessState, nameDecision } }: { number: BusinessNumber }) {
  return (
    <>
      {businessState === 'disable_scheduled' && (
        <Note tone="bad">The platform will disable the business account. Its notices name the day.</Note>
      )}
      {restrictions.map(({ type, until }) => (
        <Note key={type} tone="warning">
          Restricted by the platform: {RESTRICTION_TEXTS[type] ?? wordOf(type.replaceAll('_', ' '))}
          {until === null ? '. It named no end.' : ` until ${fullTime(until)}.`}
        </Note>
      ))}
      {nameDecision && nameDecision.decision !== 'APPROVED' && (
        <Note tone="warning">
          The name {nameDecision.name !== null && `“${nameDecision.name}” `}is{' '}
          {wordOf(nameDecision.decision).toLowerCase()}
          {nameDecision.reason !== null && ` (${wordOf(nameDecision.reason.replaceAll('_', ' ')).toLowerCase()})`}.
        </Note>
      )}
    </>
  );
}

/** Notices from WhatsApp about the business account and its numbers. */
function Notices() {
  const notices = useList(
    ['account-notices'],
    (cursor) => must(api.GET('/console/v1/account-notices', { params: { query: { limit: 20, cursor } } })),
    (page) => page.notices,
    { everyMs: () => LOOK_MS },
  );
  return (
    <section className="section stack-2" aria-labelledby="notices">
      <h2 id="notices">Platform notices</h2>
      <List<Notice>
        label="Platform notices"
        list={notices}
        keyOf={({ id }) => id}
        empty={{
          icon: Megaphone,
          title: 'No notices',
          text: 'Restrictions, reviews, name decisions and changed limits appear here when the platform reports them.',
        }}
        columns={[
          {
            head: 'Time',
            cell: ({ timestamp }) => (
              <span title={fullTime(timestamp)}>
                <Time at={timestamp} />
              </span>
            ),
          },
          {
            head: 'Notice',
            cell: ({ notice, severity }) => (
              <Status tone={SEVERITY_TONES[severity]}>{wordOf(notice.replaceAll('_', ' '))}</Status>
            ),
          },
          { head: 'Summary', isWide: true, cell: ({ summary }) => <span className="wrap-any">{summary}</span> },
          {
            head: 'Numbers',
            hide: 'md',
            cell: ({ phoneNumbers }) => (
              <span className="dim tn">{phoneNumbers.map((phone) => `+${phone}`).join(', ')}</span>
            ),
          },
        ]}
      />
    </section>
  );
}

function History({ numberId }: { numberId: string }) {
  const changes = useList(
    ['numbers', numberId, 'history'],
    (cursor) =>
      must(
        api.GET('/console/v1/numbers/{numberId}/history', {
          params: { path: { numberId }, query: { limit: 50, cursor } },
        }),
      ),
    (page) => page.changes,
    { everyMs: () => LOOK_MS },
  );
  const rated = changes.rows.map(({ at, qualityRating }) => ({ at, level: qualityOf(qualityRating) })).toReversed();
  return (
    <section className="stack-2">
      <h3>Quality history</h3>
      {rated.length > 0 && <StepChart label="Quality over time" levels={LEVELS} changes={rated} until={new Date()} />}
      <List<Change>
        label="Quality history"
        list={changes}
        keyOf={({ id }) => id}
        empty={{ icon: Phone, title: 'No changes yet', text: 'This list keeps each change that the platform reports.' }}
        columns={[
          {
            head: 'Since',
            cell: ({ at }) => (
              <span title={fullTime(at)}>
                <Time at={at} />
              </span>
            ),
          },
          { head: 'Quality', cell: ({ qualityRating }) => <Quality rating={qualityRating} /> },
          { head: 'Limit', cell: ({ messagingLimit }) => <span className="dim">{limitText(messagingLimit)}</span> },
          {
            head: 'Status',
            cell: ({ status, stoppedReason }) => (
              <span title={stoppedReason ?? undefined}>
                <Standing status={status} />
              </span>
            ),
          },
        ]}
      />
    </section>
  );
}
