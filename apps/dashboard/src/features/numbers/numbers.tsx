import { Link, useNavigate } from '@tanstack/react-router';
import { Megaphone, Phone } from 'lucide-react';
import { api, must, type Schemas } from '../../api/client';
import { useList, useRead } from '../../hooks/queries';
import { StepChart } from '../../components/charts';
import { Facts, Failure, Note, PageHead, Skeleton, Status, Time, type Tone, wordOf } from '../../components/display';
import { List } from '../../components/list';
import { Panel } from '../../components/overlays';
import { fullTime } from '../../lib/formats';
import { usePathParam } from '../../hooks/use-path-param';
import { Connection } from './number-connection';
import { LimitUse, limitText, usedText } from './number-limit';
import { Username } from './number-username';

type BusinessNumber = Schemas['BusinessNumber'];
type Change = Schemas['NumberChange'];
type Notice = Schemas['AccountNotice'];

const SEVERITY_TONES: Record<Notice['severity'], Tone> = { info: 'info', warning: 'warning', critical: 'bad' };
const RESTRICTION_TEXTS: Record<string, string> = {
  RESTRICTED_BIZ_INITIATED_MESSAGING: 'Business-initiated messages',
  RESTRICTED_CUSTOMER_INITIATED_MESSAGING: 'Replies to customers',
  RESTRICTED_ADD_PHONE_NUMBER_ACTION: 'Adding phone numbers',
};

/** From best to worst; unrated numbers are last. */
const LEVELS = ['Green', 'Yellow', 'Red', 'Unrated'] as const;
const QUALITY_TONES: Record<string, Tone> = { Green: 'success', Yellow: 'warning', Red: 'bad', Unrated: 'neutral' };
const LOOK_MS = 30_000;

const qualityOf = (rating: string | null): string =>
  LEVELS.find((level) => level.toUpperCase() === rating) ?? 'Unrated';

const throughputText = (throughput: string | null): string =>
  throughput === null ? 'Not reported yet' : throughput === 'HIGH' ? 'High (1,000 per second)' : wordOf(throughput);

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

export function Page() {
  const numberId = usePathParam('numberId');
  const navigate = useNavigate();
  const read = useRead(['numbers'], () => must(api.GET('/console/v1/numbers')), { everyMs: () => LOOK_MS });
  const numbers = read.data?.numbers;
  return (
    <div className={numberId ? 'main split' : 'main'}>
      <div className="page narrow">
        <PageHead title="Numbers" {...(numbers && { count: numbers.length })} />
        {numbers && <LimitUse numbers={numbers} />}
        <List<BusinessNumber>
          label="Numbers"
          list={{ ...read, rows: numbers ?? [] }}
          keyOf={({ id }) => id}
          isSelected={({ id }) => id === numberId}
          empty={{
            icon: Phone,
            title: 'No numbers',
            text: 'Messages are sent from your business number. The operator of this installation connects it.',
          }}
          columns={[
            {
              head: 'Number',
              isWide: true,
              cell: ({ id, phoneNumber, isPrimary, displayName }) => (
                <>
                  <Link className="cell tn" to="/numbers/$numberId" params={{ numberId: id }}>
                    +{phoneNumber}
                  </Link>
                  {isPrimary && !numberId && <span className="dimmer hide-sm"> Primary</span>}
                  {displayName !== null && (
                    <div className="hint cut" dir="auto">
                      {displayName}
                    </div>
                  )}
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
          The messaging limit is the number of contacts to whom all numbers of your business portfolio can start a
          conversation within 24 hours. Quality drops when recipients block or report your messages. Low quality reduces
          the limit.
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
          This number is stopped: {number.stoppedReason}. The operator of this installation can resume it.
        </Note>
      )}
      <Restrictions number={number} />
      <Facts
        rows={[
          number.displayName !== null && [
            'Display name',
            <span key="name" dir="auto">
              {number.displayName}
            </span>,
          ],
          ['Quality', <Quality key="quality" rating={number.qualityRating} />],
          ['Messaging limit', usedText(read.data) ?? limitText(number.messagingLimit)],
          [
            'Portfolio',
            number.portfolioId === null ? 'Not reported yet' : `${number.portfolioId} (its numbers share the limit)`,
          ],
          ['Throughput', throughputText(number.throughput)],
          [
            'Used for',
            number.isPrimary ? 'Messages without a specified number (primary)' : 'Messages that specify this number',
          ],
          ['Last callback', <Time key="callback" at={number.lastCallbackAt} empty="None yet" />],
          number.appHistory !== null && ['App history', historyText(number.appHistory)],
          [
            'ID',
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

/** Returns, for example, “55% imported (phase 1 of 0 to 2)”. */
function historyText({ phase, progress, declined }: Schemas['AppHistory']): string {
  if (declined || progress === null) return 'Not shared by the business';
  return progress === 100 ? 'Complete' : `${progress}% imported (phase ${phase ?? 0} of 0 to 2)`;
}

/** Restrictions of the number with their end, and the decision on its display name. */
function Restrictions({ number: { restrictions, businessState, nameDecision } }: { number: BusinessNumber }) {
  return (
    <>
      {businessState === 'disable_scheduled' && (
        <Note tone="bad">The platform will disable the business account. See the platform notices for the date.</Note>
      )}
      {restrictions.map(({ type, until }) => (
        <Note key={type} tone="warning">
          Restricted by the platform: {RESTRICTION_TEXTS[type] ?? wordOf(type.replaceAll('_', ' '))}
          {until === null ? '. No end date reported.' : ` until ${fullTime(until)}.`}
        </Note>
      ))}
      {nameDecision && nameDecision.decision !== 'APPROVED' && (
        <Note tone="warning">
          The display name {nameDecision.name !== null && `“${nameDecision.name}” `}is{' '}
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
          text: 'Restrictions, reviews, display name decisions and limit changes appear here when the platform reports them.',
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
        empty={{ icon: Phone, title: 'No changes yet', text: 'Changes reported by the platform appear here.' }}
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
