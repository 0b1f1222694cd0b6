import { useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useChange, useRead } from '../../hooks/queries';
import { useMe } from '../../api/session';
import { Button, Check, Select, TextArea, TextField } from '../../components/controls';
import { Code, CopyLine, Facts, Skeleton, Refused, Time } from '../../components/display';
import { Cancel, Dialog } from '../../components/overlays';

type Key = Schemas['ApiKey'];
export const DAY_MS = 86_400_000;

export const listOf = (items: string[], all: string): string => (items.length === 0 ? all : items.join(', '));

const ENDS = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

/** Permissions of a key as form values. */
interface Rules {
  name: string;
  ips: string;
  routes: string[];
  ends: string;
}

const linesOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

function RulesFields({
  rules,
  set,
  faultOf,
}: {
  rules: Rules;
  set(rules: Rules): void;
  faultOf(field: string): string | undefined;
}) {
  const { me } = useMe();
  const routes = useRead(['api-routes'], () => must(api.GET('/console/v1/api-routes')));
  const { address } = me.session;
  return (
    <>
      <TextField
        label="Name"
        hint="For example, the server that uses the key"
        value={rules.name}
        onChange={(name) => set({ ...rules, name })}
        fault={faultOf('name')}
        input={{ maxLength: 100, autoFocus: true }}
      />
      <TextArea
        label="IP allowlist"
        isOptional
        rows={2}
        hint={
          <>
            One IP address or CIDR range per line. Leave empty to allow any address.{' '}
            {address !== null && !linesOf(rules.ips).includes(address) && (
              <button
                type="button"
                className="link btn-link"
                onClick={() => set({ ...rules, ips: [...linesOf(rules.ips), address].join('\n') })}
              >
                Add my IP address, {address}
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
          Routes <span className="opt">(default: all)</span>
        </span>
        <div className="checks" role="group" aria-label="Routes">
          {routes.data?.routes.map(({ method, path }) => {
            const route = `${method} ${path}`;
            const isChosen = rules.routes.includes(route);
            return (
              <Check
                key={route}
                label={<span className="mono">{route}</span>}
                checked={isChosen}
                onChange={() =>
                  set({
                    ...rules,
                    routes: isChosen ? rules.routes.filter((one) => one !== route) : [...rules.routes, route],
                  })
                }
              />
            );
          }) ?? <Skeleton lines={3} />}
        </div>
      </div>
    </>
  );
}

export function CreateKey({ onClose }: { onClose(): void }) {
  const [rules, setRules] = useState<Rules>({ name: '', ips: '', routes: [], ends: '' });
  const create = useChange((body: Schemas['NewApiKey']) => must(api.POST('/console/v1/keys', { body })), {
    quiet: true,
  });
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
      title="Create API key"
      isWide
      isClosable={!create.isPending}
      onClose={onClose}
      onSubmit={submit}
      foot={
        <>
          <span className="push" />
          <Cancel isBusy={create.isPending} onClose={onClose} />
          <Button type="submit" look="primary" isBusy={create.isPending}>
            Create key
          </Button>
        </>
      }
    >
      <Refused error={create.error} fields={['name', 'allowedIps']} />
      <RulesFields rules={rules} set={setRules} faultOf={(field) => create.error?.faultOf(field)} />
      <Select label="Expires" value={rules.ends} onChange={(ends) => setRules({ ...rules, ends })} options={ENDS} />
    </Dialog>
  );
}

/** Full key, shown only once, with a sample call. */
function ShowKey({ apiKey, item, onClose }: { apiKey: string; item: Key; onClose(): void }) {
  const [isStored, setStored] = useState(false);
  const guide = useRead(['api-guide'], () => must(api.GET('/console/v1/api-guide'))).data;
  const curl = `curl ${guide?.baseUrl ?? `${location.origin}/v1`}/me \\
  -H "Authorization: Bearer ${apiKey}"`;
  const isTestable = item.allowedRoutes.length === 0 || item.allowedRoutes.includes('GET /v1/me');
  return (
    <Dialog
      title={`Copy the key “${item.name}”`}
      about="This key is shown only once. Switchboard stores only its fingerprint."
      isWide
      isClosable={isStored}
      onClose={onClose}
      foot={
        <>
          <Check label="I have stored the key" checked={isStored} onChange={() => setStored(!isStored)} />
          <Button
            look="primary"
            refusal={isStored ? undefined : 'Confirm that you have stored the key'}
            onClick={onClose}
          >
            Done
          </Button>
        </>
      }
    >
      <CopyLine label="Key" text={apiKey} />
      {isTestable && <Code title="Test the key: returns its account, plan and numbers" text={curl} />}
      <Facts
        rows={[
          ['IP allowlist', listOf(item.allowedIps, 'Any')],
          ['Routes', listOf(item.allowedRoutes, 'All')],
          ['Expires', <Time key="expires" at={item.expiresAt} />],
        ]}
      />
    </Dialog>
  );
}

const OVERLAPS = [
  ['0', 'No overlap'],
  ['1', '1 hour'],
  ['24', '24 hours'],
  ['168', '7 days'],
] as const;

export function RotateKey({ item, onClose }: { item: Key; onClose(): void }) {
  const [overlap, setOverlap] = useState<string>('24');
  const rotate = useChange(
    () =>
      must(
        api.POST('/console/v1/keys/{keyId}/rotate', {
          params: { path: { keyId: item.id } },
          body: { overlapHours: Number(overlap) },
        }),
      ),
    { quiet: true },
  );
  if (rotate.data) return <ShowKey apiKey={rotate.data.apiKey} item={rotate.data.key} onClose={onClose} />;
  return (
    <Dialog
      title={`Rotate “${item.name}”`}
      about="Creates a new key with the same name, IP allowlist and routes. The old key works until the overlap ends."
      isClosable={!rotate.isPending}
      onClose={onClose}
      foot={
        <>
          <span className="push" />
          <Cancel isBusy={rotate.isPending} onClose={onClose} />
          <Button look="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate(undefined)}>
            Rotate key
          </Button>
        </>
      }
    >
      <Refused error={rotate.error} fields={[]} />
      <Select label="Overlap" value={overlap} onChange={setOverlap} options={OVERLAPS} />
    </Dialog>
  );
}

export function ChangeKey({ item, onClose }: { item: Key; onClose(): void }) {
  const [rules, setRules] = useState<Rules>({
    name: item.name,
    ips: item.allowedIps.join('\n'),
    routes: item.allowedRoutes,
    ends: 'keep',
  });
  const change = useChange(
    (body: Schemas['ApiKeyChange']) =>
      must(api.PATCH('/console/v1/keys/{keyId}', { params: { path: { keyId: item.id } }, body })),
    { done: 'Key updated. The changes apply from the next request.', quiet: true },
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
      title={`Edit “${item.name}”`}
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
      <Refused error={change.error} fields={['name', 'allowedIps']} />
      <RulesFields rules={rules} set={setRules} faultOf={(field) => change.error?.faultOf(field)} />
      <Select
        label="Expires"
        value={rules.ends}
        onChange={(ends) => setRules({ ...rules, ends })}
        options={[['keep', 'Keep current'], ...ENDS] as const}
      />
    </Dialog>
  );
}
