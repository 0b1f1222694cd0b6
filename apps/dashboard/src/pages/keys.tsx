import { Link, useNavigate } from '@tanstack/react-router';
import { BookOpen, KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { api, must, type Schemas } from '../api/client';
import { useChange, useList, useRead } from '../api/hooks';
import { useMe, useRefusal } from '../api/session';
import { Button, Check, Select, TextArea, TextField } from '../kit/controls';
import { Code, CopyLine, Facts, Failure, PageHead, Skeleton, Status, Time, type Tone } from '../kit/display';
import { List } from '../kit/list';
import { Confirm, Dialog, Panel } from '../kit/overlays';
import { useFilters, usePart } from '../routes';

type Key = Schemas['ApiKey'];
const TONES: Record<Key['state'], Tone> = { active: 'success', expired: 'warning', revoked: 'neutral' };
const WORDS: Record<Key['state'], string> = { active: 'Active', expired: 'Expired', revoked: 'Revoked' };
const DAY_MS = 86_400_000;

/** A key whose successor works already, or that ends soon, says so. */
function KeyState({ item, isBoxed }: { item: Key; isBoxed?: boolean }) {
  const endsIn = item.expiresAt === null ? Infinity : new Date(item.expiresAt).getTime() - Date.now();
  if (item.state === 'active' && endsIn < 7 * DAY_MS)
    return (
      <Status tone="warning" isBoxed={isBoxed ?? false}>
        Ends <Time at={item.expiresAt} />
      </Status>
    );
  return (
    <Status tone={TONES[item.state]} isBoxed={isBoxed ?? false}>
      {WORDS[item.state]}
    </Status>
  );
}

const listOf = (items: string[], all: string): string => (items.length === 0 ? all : items.join(', '));

/** The API keys of the account, one of them beside the list. */
export function Page() {
  const [filters, filter] = useFilters();
  const keyId = usePart('keyId');
  const navigate = useNavigate();
  const refusal = useRefusal('owner');
  const [isCreating, setCreating] = useState(false);
  const state = filters.state as Key['state'] | undefined;
  const keys = useList(
    ['keys', state],
    (cursor) => must(api.GET('/console/v1/keys', { params: { query: { state, cursor } } })),
    (page) => page.keys,
  );
  return (
    <div className={keyId ? 'main split' : 'main'}>
      <div className="page narrow">
        <PageHead title="API keys">
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
              <button type="button" aria-pressed={(state ?? '') === option} onClick={() => filter({ state: option })}>
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
          empty={{
            icon: KeyRound,
            title: 'No keys',
            text: 'Your servers sign in with a key. Each server gets its own, so that one can end without the others.',
          }}
          columns={[
            {
              head: 'Name',
              cell: ({ id, name }) => (
                <Link className="cell" to="/keys/$keyId" params={{ keyId: id }} search={true}>
                  {name}
                </Link>
              ),
            },
            { head: 'Prefix', hide: 'sm', cell: ({ prefix }) => <span className="mono dim">{prefix}</span> },
            { head: 'Addresses', hide: 'md', cell: ({ allowedIps }) => <span className="dim tn">{listOf(allowedIps, 'Any')}</span> },
            { head: 'Routes', hide: 'md', cell: ({ allowedRoutes }) => <span className="dim">{listOf(allowedRoutes, 'All')}</span> },
            { head: 'Last used', cell: ({ lastUsedAt }) => <span className="dim"><Time at={lastUsedAt} /></span> },
            { head: 'Expires', hide: 'sm', cell: ({ expiresAt }) => <span className="dim"><Time at={expiresAt} /></span> },
            { head: 'State', cell: (item) => <KeyState item={item} /> },
          ]}
        />
        <p className="hint">Last use tells whether revoking is safe.</p>
      </div>
      {keyId && <KeyPanel key={keyId} keyId={keyId} onClose={() => void navigate({ to: '/keys', search: true })} />}
      {isCreating && <CreateKey onClose={() => setCreating(false)} />}
    </div>
  );
}

const ENDS = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

/** What a key may do, as a form writes it. */
interface Rules {
  name: string;
  ips: string;
  routes: string[];
  ends: string;
}

const linesOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

function RulesFields({ rules, set, faultOf }: { rules: Rules; set(rules: Rules): void; faultOf(field: string): string | undefined }) {
  const { me } = useMe();
  const routes = useRead(['api-routes'], () => must(api.GET('/console/v1/api-routes')));
  const { address } = me.session;
  return (
    <>
      <TextField
        label="Name"
        hint="What the key is for, such as the server that has it"
        value={rules.name}
        onChange={(name) => set({ ...rules, name })}
        fault={faultOf('name')}
        input={{ maxLength: 100, autoFocus: true }}
      />
      <TextArea
        label="Addresses"
        isOptional
        rows={2}
        hint={
          <>
            One address or CIDR range per line. Empty allows all.{' '}
            {address !== null && !linesOf(rules.ips).includes(address) && (
              <button
                type="button"
                className="link btn-link"
                onClick={() => set({ ...rules, ips: [...linesOf(rules.ips), address].join('\n') })}
              >
                Add mine, {address}
              </button>
            )}
          </>
        }
        value={rules.ips}
        onChange={(ips) => set({ ...rules, ips })}
        fault={faultOf('allowedIps')}
      />
      <div className="field">
        <span className="label">
          Routes <span className="opt">(none chosen: all)</span>
        </span>
        <div className="checks" role="group" aria-label="Routes">
          {routes.data?.routes.map(({ method, path }) => {
            const route = `${method} ${path.replace(/:\w+/g, '*')}`;
            const isChosen = rules.routes.includes(route);
            return (
              <Check
                key={route}
                label={<span className="mono">{`${method} ${path}`}</span>}
                checked={isChosen}
                onChange={() =>
                  set({ ...rules, routes: isChosen ? rules.routes.filter((one) => one !== route) : [...rules.routes, route] })
                }
              />
            );
          }) ?? <Skeleton lines={3} />}
        </div>
      </div>
    </>
  );
}

function CreateKey({ onClose }: { onClose(): void }) {
  const [rules, setRules] = useState<Rules>({ name: '', ips: '', routes: [], ends: '' });
  const create = useChange(
    (body: Schemas['NewApiKey']) => must(api.POST('/console/v1/keys', { body })),
    { quiet: true },
  );
  if (create.data) return <ShowKey apiKey={create.data.apiKey} item={create.data.key} onClose={onClose} />;
  const submit = (): void => {
    const end = rules.ends && new Date(Date.now() + Number(rules.ends) * DAY_MS).toISOString();
    create.mutate({
      name: rules.name,
      allowedIps: linesOf(rules.ips),
      allowedRoutes: rules.routes,
      ...(end && { expiresAt: end }),
    });
  };
  return (
    <Dialog
      title="Create an API key"
      isWide
      onClose={onClose}
      onSubmit={submit}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            Create key
          </Button>
        </>
      }
    >
      <RulesFields rules={rules} set={setRules} faultOf={(field) => create.error?.faultOf(field)} />
      <Select label="Ends" value={rules.ends} onChange={(ends) => setRules({ ...rules, ends })} options={ENDS} />
    </Dialog>
  );
}

/** The whole key, this once, with a call to paste. */
function ShowKey({ apiKey, item, onClose }: { apiKey: string; item: Key; onClose(): void }) {
  const [isStored, setStored] = useState(false);
  const curl = `curl ${location.origin}/v1/messages/send \\
  -H "Authorization: Bearer ${apiKey}" \\
  -H "Content-Type: application/json" \\
  -d '{"to":"919812345678","type":"text","text":{"body":"Hello"}}'`;
  return (
    <Dialog
      title={`Copy the key “${item.name}” now`}
      about="It is shown once. We keep only a fingerprint, so nobody can show it again."
      isWide
      isClosable={isStored}
      onClose={onClose}
      foot={
        <>
          <Check label="I have stored it safely" checked={isStored} onChange={() => setStored(!isStored)} />
          <Button look="primary" refusal={isStored ? undefined : 'First confirm that you stored the key'} onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <CopyLine label="Key" text={apiKey} />
      <Code title="Try it" text={curl} />
      <Facts
        rows={[
          ['Addresses', listOf(item.allowedIps, 'Any')],
          ['Routes', listOf(item.allowedRoutes, 'All')],
          ['Expires', <Time key="expires" at={item.expiresAt} />],
        ]}
      />
    </Dialog>
  );
}

function KeyPanel({ keyId, onClose }: { keyId: string; onClose(): void }) {
  const refusal = useRefusal('owner');
  const [asked, ask] = useState<'revoke' | 'rotate' | 'change'>();
  const read = useRead(['keys', keyId], () => must(api.GET('/console/v1/keys/{keyId}', { params: { path: { keyId } } })));
  const revoke = useChange(
    () => must(api.POST('/console/v1/keys/{keyId}/revoke', { params: { path: { keyId } } })),
    { done: 'The key has ended.' },
  );
  const item = read.data?.key;
  if (!item)
    return (
      <Panel title="API key" onClose={onClose}>
        {read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton />}
      </Panel>
    );
  const ended = item.state === 'active' ? undefined : 'The key has ended';
  return (
    <Panel
      title={item.name}
      status={<KeyState item={item} isBoxed />}
      onClose={onClose}
      foot={
        <>
          <Button size="sm" refusal={refusal ?? ended} onClick={() => ask('change')}>
            Change
          </Button>
          <Button size="sm" refusal={refusal ?? ended} onClick={() => ask('rotate')}>
            Rotate
          </Button>
          <Button size="sm" look="danger-quiet" className="push" refusal={refusal ?? ended} onClick={() => ask('revoke')}>
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
          ['Addresses', listOf(item.allowedIps, 'Any')],
          ['Routes', listOf(item.allowedRoutes, 'All')],
          ['Id', <span key="id" className="mono">{item.id}</span>],
        ]}
      />
      {asked === 'revoke' && (
        <Confirm
          title={`Revoke “${item.name}”?`}
          about={
            <>
              Whoever uses the key is refused within a second, for ever. Last use: <Time at={item.lastUsedAt} />.
            </>
          }
          action="Revoke key"
          isBusy={revoke.isPending}
          {...(item.lastUsedAt !== null && { word: item.name })}
          onConfirm={() => revoke.mutate(undefined, { onSettled: () => ask(undefined) })}
          onClose={() => ask(undefined)}
        />
      )}
      {asked === 'rotate' && <RotateKey item={item} onClose={() => ask(undefined)} />}
      {asked === 'change' && <ChangeKey item={item} onClose={() => ask(undefined)} />}
    </Panel>
  );
}

const OVERLAPS = [
  ['0', 'None: the old key ends now'],
  ['1', '1 hour'],
  ['24', '24 hours'],
  ['168', '7 days'],
] as const;

function RotateKey({ item, onClose }: { item: Key; onClose(): void }) {
  const [overlap, setOverlap] = useState<string>('24');
  const rotate = useChange(() =>
    must(
      api.POST('/console/v1/keys/{keyId}/rotate', {
        params: { path: { keyId: item.id } },
        body: { overlapHours: Number(overlap) },
      }),
    ),
  );
  if (rotate.data) return <ShowKey apiKey={rotate.data.apiKey} item={rotate.data.key} onClose={onClose} />;
  return (
    <Dialog
      title={`Rotate “${item.name}”`}
      about="You get a new key with the same name, addresses and routes. Both work for the overlap."
      onClose={onClose}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate(undefined)}>
            Rotate key
          </Button>
        </>
      }
    >
      <Select label="Overlap" value={overlap} onChange={setOverlap} options={OVERLAPS} />
    </Dialog>
  );
}

function ChangeKey({ item, onClose }: { item: Key; onClose(): void }) {
  const [rules, setRules] = useState<Rules>({
    name: item.name,
    ips: item.allowedIps.join('\n'),
    routes: item.allowedRoutes,
    ends: 'keep',
  });
  const change = useChange(
    (body: Schemas['ApiKeyChange']) =>
      must(api.PATCH('/console/v1/keys/{keyId}', { params: { path: { keyId: item.id } }, body })),
    { done: 'The key is changed.', quiet: true },
  );
  const submit = (): void => {
    const end =
      rules.ends === 'keep'
        ? {}
        : rules.ends === ''
          ? { neverExpires: true }
          : { expiresAt: new Date(Date.now() + Number(rules.ends) * DAY_MS).toISOString() };
    change.mutate(
      { name: rules.name, allowedIps: linesOf(rules.ips), allowedRoutes: rules.routes, ...end },
      { onSuccess: onClose },
    );
  };
  return (
    <Dialog
      title={`Change “${item.name}”`}
      isWide
      onClose={onClose}
      onSubmit={submit}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={change.isPending}>
            Save
          </Button>
        </>
      }
    >
      <RulesFields rules={rules} set={setRules} faultOf={(field) => change.error?.faultOf(field)} />
      <Select
        label="Ends"
        value={rules.ends}
        onChange={(ends) => setRules({ ...rules, ends })}
        options={[['keep', 'As it is'], ...ENDS] as const}
      />
    </Dialog>
  );
}
