import { Link, useNavigate } from '@tanstack/react-router';
import { BookOpen, KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useChange, useList, useRead } from '../../hooks/queries';
import { useRefusal } from '../../api/session';
import { Button } from '../../components/controls';
import { Facts, Failure, PageHead, Skeleton, Status, Time, type Tone } from '../../components/display';
import { oneOf } from '../../lib/filters';
import { countOf, List } from '../../components/list';
import { visibleName } from '../../lib/visible-name';
import { Confirm, Panel } from '../../components/overlays';
import { useFilters } from '../../hooks/use-filters';
import { usePathParam } from '../../hooks/use-path-param';
import { ChangeKey, CreateKey, DAY_MS, listOf, RotateKey } from './key-dialogs';

type Key = Schemas['ApiKey'];
const TONES: Record<Key['state'], Tone> = { active: 'success', expired: 'warning', revoked: 'neutral' };
const WORDS: Record<Key['state'], string> = { active: 'Active', expired: 'Expired', revoked: 'Revoked' };

/** Key status. Shows an upcoming expiry, which often means that another key has replaced this one. */
function KeyState({ item, isBoxed }: { item: Key; isBoxed?: boolean }) {
  const endsIn = item.expiresAt === null ? Infinity : new Date(item.expiresAt).getTime() - Date.now();
  if (item.state === 'active' && endsIn < 7 * DAY_MS)
    return (
      <Status tone="warning" isBoxed={isBoxed ?? false}>
        Expires <Time at={item.expiresAt} />
      </Status>
    );
  return (
    <Status tone={TONES[item.state]} isBoxed={isBoxed ?? false}>
      {WORDS[item.state]}
    </Status>
  );
}

export function Page() {
  const [filters, filter] = useFilters();
  const keyId = usePathParam('keyId');
  const navigate = useNavigate();
  const refusal = useRefusal('owner');
  const [isCreating, setCreating] = useState(false);
  const state = oneOf(filters.state, ['active', 'expired', 'revoked']);
  const keys = useList(
    ['keys', state],
    (cursor) => must(api.GET('/console/v1/keys', { params: { query: { state, cursor } } })),
    (page) => page.keys,
  );
  return (
    <div className={keyId ? 'main split' : 'main'}>
      <div className="page narrow">
        <PageHead title="API keys" count={countOf(keys)}>
          <Link className="btn sm" to="/api-guide">
            <BookOpen className="i" aria-hidden />
            API guide
          </Link>
          <Button look="primary" size="sm" icon={Plus} refusal={refusal} onClick={() => setCreating(true)}>
            Create key
          </Button>
        </PageHead>
        <div className="filters">
          {(['', 'active', 'expired', 'revoked'] as const).map((option) => (
            <span key={option} className="chip">
              <button
                type="button"
                aria-pressed={(state ?? '') === option}
                onClick={() => filter({ state: option || undefined })}
              >
                <span className={(state ?? '') === option ? 'value' : ''}>{option === '' ? 'All' : WORDS[option]}</span>
              </button>
            </span>
          ))}
        </div>
        <List
          label="API keys"
          list={keys}
          keyOf={({ id }) => id}
          isSelected={({ id }) => id === keyId}
          isGone={({ state: of }) => of === 'revoked'}
          empty={
            state === undefined
              ? {
                  icon: KeyRound,
                  title: 'No API keys yet',
                  text: 'Your servers authenticate with API keys. Create one key per server, so that you can revoke each separately.',
                  action: (
                    <Button look="primary" icon={Plus} refusal={refusal} onClick={() => setCreating(true)}>
                      Create API key
                    </Button>
                  ),
                }
              : {
                  icon: KeyRound,
                  title: `No ${WORDS[state].toLowerCase()} keys`,
                  text: 'No keys have this status.',
                  action: (
                    <Link className="btn" to="/keys">
                      Show all keys
                    </Link>
                  ),
                }
          }
          columns={[
            {
              head: 'Name',
              cell: ({ id, name }) => (
                <Link className="cell" to="/keys/$keyId" params={{ keyId: id }} search={true}>
                  {visibleName(name) ?? id}
                </Link>
              ),
            },
            { head: 'Prefix', hide: 'sm', cell: ({ prefix }) => <span className="mono dim">{prefix}</span> },
            {
              head: 'IP allowlist',
              hide: 'md',
              cell: ({ allowedIps }) => <span className="dim tn">{listOf(allowedIps, 'Any')}</span>,
            },
            {
              head: 'Routes',
              hide: 'md',
              cell: ({ allowedRoutes }) => <span className="dim">{listOf(allowedRoutes, 'All')}</span>,
            },
            {
              head: 'Last used',
              cell: ({ lastUsedAt }) => (
                <span className="dim">
                  <Time at={lastUsedAt} />
                </span>
              ),
            },
            {
              head: 'Expires',
              hide: 'sm',
              cell: ({ expiresAt }) => (
                <span className="dim">
                  <Time at={expiresAt} />
                </span>
              ),
            },
            { head: 'Status', cell: (item) => <KeyState item={item} /> },
          ]}
        />
        <p className="hint">Check when a key was last used before you revoke it.</p>
      </div>
      {keyId && <KeyPanel key={keyId} keyId={keyId} onClose={() => void navigate({ to: '/keys', search: true })} />}
      {isCreating && <CreateKey onClose={() => setCreating(false)} />}
    </div>
  );
}

function KeyPanel({ keyId, onClose }: { keyId: string; onClose(): void }) {
  const refusal = useRefusal('owner');
  const [asked, ask] = useState<'revoke' | 'rotate' | 'change'>();
  const read = useRead(['keys', keyId], () =>
    must(api.GET('/console/v1/keys/{keyId}', { params: { path: { keyId } } })),
  );
  const revoke = useChange(() => must(api.POST('/console/v1/keys/{keyId}/revoke', { params: { path: { keyId } } })), {
    done: 'Key revoked.',
    quiet: true,
  });
  const item = read.data?.key;
  if (!item)
    return (
      <Panel title="API key" onClose={onClose}>
        {read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton />}
      </Panel>
    );
  const ended = item.state === 'active' ? undefined : `This key is ${WORDS[item.state].toLowerCase()}`;
  return (
    <Panel
      title={visibleName(item.name) ?? item.id}
      status={<KeyState item={item} isBoxed />}
      onClose={onClose}
      foot={
        <>
          <Button size="sm" refusal={refusal ?? ended} onClick={() => ask('change')}>
            {' '}
            Edit{' '}
          </Button>
          <Button size="sm" refusal={refusal ?? ended} onClick={() => ask('rotate')}>
            Rotate
          </Button>
          <Button
            size="sm"
            look="danger-quiet"
            className="push"
            refusal={refusal ?? ended}
            onClick={() => ask('revoke')}
          >
            Revoke
          </Button>
        </>
      }
    >
      <Facts
        rows={[
          ['Key', <span key="key" className="mono">{`${item.prefix}…${item.lastFour}`}</span>],
          ['Last used', <Time key="used" at={item.lastUsedAt} />],
          ['Created', <Time key="created" at={item.createdAt} />],
          ['Expires', <Time key="expires" at={item.expiresAt} />],
          item.revokedAt !== null && ['Revoked', <Time key="revoked" at={item.revokedAt} />],
          ['IP allowlist', listOf(item.allowedIps, 'Any')],
          ['Routes', listOf(item.allowedRoutes, 'All')],
          [
            'ID',
            <span key="id" className="mono">
              {item.id}
            </span>,
          ],
        ]}
      />
      {refusal === undefined && (
        <Link className="link small" to="/audit" search={{ target: item.id }}>
          Changes to this key in the audit log
        </Link>
      )}
      {asked === 'revoke' && (
        <Confirm
          title={`Revoke “${item.name}”?`}
          about={
            <>
              Requests with this key are rejected within a second. You cannot undo this. Last used:{' '}
              <Time at={item.lastUsedAt} />.
            </>
          }
          action="Revoke key"
          isBusy={revoke.isPending}
          error={revoke.error}
          {...(item.lastUsedAt !== null && { word: item.name })}
          onConfirm={() => revoke.mutate(undefined, { onSuccess: () => ask(undefined) })}
          onClose={() => ask(undefined)}
        />
      )}
      {asked === 'rotate' && <RotateKey item={item} onClose={() => ask(undefined)} />}
      {asked === 'change' && <ChangeKey item={item} onClose={() => ask(undefined)} />}
    </Panel>
  );
}
