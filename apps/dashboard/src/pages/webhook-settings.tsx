import { Link } from '@tanstack/react-router';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { api, must, type Schemas } from '../api/client';
import { useChange, useRead } from '../api/hooks';
import { useRefusal } from '../api/session';
import { Button, Check, Select, TextField } from '../kit/controls';
import { CopyLine, Empty, Facts, Failure, Note, PageHead, Skeleton, Status, Time, type Tone } from '../kit/display';
import { Confirm, Dialog, Menu } from '../kit/overlays';

type Endpoint = Schemas['WebhookEndpoint'];
type Kind = Schemas['TestEvent']['kind'];
const KINDS: readonly (readonly [Kind, string])[] = [
  ['message', 'Messages that come in'],
  ['message_status', 'Delivery states of messages'],
  ['template_status', 'Changes of templates'],
  ['phone_number_quality', 'Quality of numbers'],
  ['job_completed', 'Completed jobs'],
  ['job_paused', 'Paused jobs'],
  ['job_failed', 'Failed jobs'],
];
const TONES: Record<Endpoint['state'], Tone> = { enabled: 'success', degraded: 'warning', paused: 'neutral' };
const WORDS: Record<Endpoint['state'], string> = { enabled: 'Enabled', degraded: 'Failing', paused: 'Paused' };

/** Where events are sent to. */
export function Page() {
  const refusal = useRefusal('admin');
  const [isAdding, setAdding] = useState(false);
  const read = useRead(['webhook-endpoints'], () => must(api.GET('/console/v1/webhook-endpoints')));
  const add = (
    <Button look="primary" size="sm" icon={Plus} refusal={refusal} onClick={() => setAdding(true)}>
      Add endpoint
    </Button>
  );
  const endpoints = read.data?.endpoints;
  return (
    <div className="page narrow">
      <PageHead title="Webhook settings" {...(endpoints && { count: endpoints.length })}>
        <Link className="btn sm" to="/integrations/webhook-log">
          Webhook log
        </Link>
        {add}
      </PageHead>
      {read.error && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {read.isPending && !read.error && <Skeleton />}
      {endpoints?.length === 0 && (
        <Empty icon={Webhook} title="No endpoints" action={add}>
          Your server gets messages, delivery states and news of templates by signed requests to an endpoint.
        </Empty>
      )}
      <div className="stack">
        {endpoints?.map((endpoint) => <EndpointBlock key={endpoint.id} endpoint={endpoint} />)}
      </div>
      {isAdding && <EndpointForm onClose={() => setAdding(false)} />}
    </div>
  );
}

function EndpointBlock({ endpoint }: { endpoint: Endpoint }) {
  const { id, url, kinds, state, failingSince, rotationEndsAt, maxInFlight, acceptStatuses, retrySchedule } = endpoint;
  const refusal = useRefusal('admin');
  const [asked, ask] = useState<'change' | 'test' | 'delete' | 'rotate'>();
  const close = (): void => ask(undefined);
  const params = { path: { endpointId: id } };
  const pause = useChange(() => must(api.POST('/console/v1/webhook-endpoints/{endpointId}/pause', { params })), {
    done: 'Paused. Events wait, and are delivered when you enable the endpoint.',
  });
  const enable = useChange(() => must(api.POST('/console/v1/webhook-endpoints/{endpointId}/enable', { params })), {
    done: 'Enabled.',
  });
  const remove = useChange(() => must(api.DELETE('/console/v1/webhook-endpoints/{endpointId}', { params })), {
    done: ({ dropped }) => `Deleted. ${dropped} waiting ${dropped === 1 ? 'event was' : 'events were'} dropped.`,
  });
  const confirmRotation = useChange(
    () => must(api.POST('/console/v1/webhook-endpoints/{endpointId}/confirm-rotation', { params })),
    { done: 'The old secret has ended.' },
  );
  return (
    <section className="block" aria-label={url}>
      <div className="block-head">
        <h2 className="cut mono">{url}</h2>
        <Status tone={TONES[state]} isBoxed>
          {WORDS[state]}
        </Status>
        <span className="push" />
        <Button size="sm" refusal={refusal} onClick={() => ask('test')}>
          Send test event
        </Button>
        <Menu
          label={`Actions for ${url}`}
          items={[
            { text: 'Change', refusal, onChoose: () => ask('change') },
            state === 'enabled'
              ? { text: 'Pause', refusal, onChoose: () => pause.mutate(undefined) }
              : { text: 'Enable', refusal, onChoose: () => enable.mutate(undefined) },
            { text: 'Rotate secret', refusal, onChoose: () => ask('rotate') },
            { text: 'Delete', refusal, isDanger: true, onChoose: () => ask('delete') },
          ]}
        />
      </div>
      <div className="block-body">
        {failingSince !== null && (
          <Note tone="warning">
            Deliveries fail since <Time at={failingSince} />. The{' '}
            <Link className="link" to="/integrations/webhook-log" search={{ endpointId: id }}>
              log
            </Link>{' '}
            shows what the endpoint answered.
          </Note>
        )}
        {rotationEndsAt !== null && (
          <Note
            tone="info"
            actions={
              <Button size="sm" refusal={refusal} isBusy={confirmRotation.isPending} onClick={() => confirmRotation.mutate(undefined)}>
                End the old secret now
              </Button>
            }
          >
            Requests are signed with both secrets until the old one ends <Time at={rotationEndsAt} />.
          </Note>
        )}
        <Facts
          rows={[
            ['Events', kinds === null ? 'All' : (kinds as Kind[]).map((kind) => textOf(kind)).join(', ')],
            ['Success is', acceptStatuses === '200' ? 'Status 200' : 'Any status 2xx'],
            ['Retries', retrySchedule === 'standard' ? 'Five attempts' : 'Extended'],
            ['At a time', maxInFlight ?? 'The default of the installation'],
            ['Added', <Time key="added" at={endpoint.createdAt} />],
          ]}
        />
      </div>
      {asked === 'change' && <EndpointForm endpoint={endpoint} onClose={close} />}
      {asked === 'test' && <TestEvent endpointId={id} onClose={close} />}
      {asked === 'rotate' && <RotateSecret endpointId={id} onClose={close} />}
      {asked === 'delete' && (
        <Confirm
          title="Delete the endpoint?"
          about={`Events that wait for ${url} are dropped. The log keeps what was sent.`}
          action="Delete endpoint"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(undefined, { onSettled: close })}
          onClose={close}
        />
      )}
    </section>
  );
}

const textOf = (kind: Kind): string => KINDS.find(([name]) => name === kind)?.[1] ?? kind;

/** A new endpoint, or a change of one. The URL must answer the challenge before anything is saved. */
function EndpointForm({ endpoint, onClose }: { endpoint?: Endpoint; onClose(): void }) {
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [verifyToken, setToken] = useState('');
  const [kinds, setKinds] = useState<Kind[]>((endpoint?.kinds as Kind[] | null | undefined) ?? []);
  const [acceptStatuses, setAccept] = useState(endpoint?.acceptStatuses ?? '200');
  const [retrySchedule, setRetries] = useState(endpoint?.retrySchedule ?? 'standard');
  const rules = { acceptStatuses, retrySchedule };
  const create = useChange(
    () =>
      must(
        api.POST('/console/v1/webhook-endpoints', {
          body: { url, verifyToken, ...(kinds.length > 0 && { kinds }), ...rules },
        }),
      ),
    { quiet: true },
  );
  const change = useChange(
    () =>
      must(
        api.PATCH('/console/v1/webhook-endpoints/{endpointId}', {
          params: { path: { endpointId: endpoint?.id ?? '' } },
          body: {
            ...(url !== endpoint?.url && { url }),
            ...(verifyToken !== '' && { verifyToken }),
            ...(kinds.length > 0 ? { kinds } : { allKinds: true }),
            ...rules,
          },
        }),
      ),
    { done: 'The endpoint is changed.', quiet: true },
  );
  if (create.data) return <SecretShown secret={create.data.secret} onClose={onClose} />;
  const sent = endpoint ? change : create;
  const failure = sent.error;
  return (
    <Dialog
      title={endpoint ? 'Change the endpoint' : 'Add an endpoint'}
      about="We call the URL with a challenge first. It must answer with the challenge as plain text, status 200."
      isWide
      onClose={onClose}
      onSubmit={() => (endpoint ? change.mutate(undefined, { onSuccess: onClose }) : create.mutate(undefined))}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={sent.isPending}>
            {endpoint ? 'Save' : 'Verify and add'}
          </Button>
        </>
      }
    >
      {failure && (
        <Note tone="bad">
          {failure.message}
          <p>Nothing was saved.</p>
        </Note>
      )}
      <TextField label="URL" value={url} onChange={setUrl} fault={failure?.faultOf('url')} input={{ type: 'url', autoFocus: true, placeholder: 'https://example.com/hook' }} />
      <TextField
        label="Verify token"
        isOptional={endpoint !== undefined}
        hint="Your server compares it with what the challenge brings, so that nobody else can set it up"
        value={verifyToken}
        onChange={setToken}
        fault={failure?.faultOf('verifyToken')}
      />
      <div className="field">
        <span className="label">
          Events <span className="opt">(none chosen: all)</span>
        </span>
        <div className="checks" role="group" aria-label="Events">
          {KINDS.map(([kind, text]) => (
            <Check
              key={kind}
              label={text}
              checked={kinds.includes(kind)}
              onChange={() => setKinds(kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind])}
            />
          ))}
        </div>
      </div>
      <div className="two">
        <Select
          label="What counts as success"
          value={acceptStatuses}
          onChange={setAccept}
          options={[
            ['200', 'Status 200 alone'],
            ['2xx', 'Any status 2xx'],
          ]}
        />
        <Select
          label="Retries"
          value={retrySchedule}
          onChange={setRetries}
          options={[
            ['standard', 'Five attempts'],
            ['extended', 'Extended, over days'],
          ]}
        />
      </div>
    </Dialog>
  );
}

function SecretShown({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <Dialog
      title="Copy the signing secret now"
      about="It is shown once. With it your server checks that a request is from us."
      isClosable={false}
      onClose={onClose}
      foot={
        <Button look="primary" className="push" onClick={onClose}>
          I have stored it
        </Button>
      }
    >
      <CopyLine label="Secret" text={secret} />
      <p className="hint">
        The <Link className="link" to="/api-guide" onClick={onClose}>API guide</Link> has receivers that check the signature.
      </p>
    </Dialog>
  );
}

function RotateSecret({ endpointId, onClose }: { endpointId: string; onClose(): void }) {
  const rotate = useChange(() =>
    must(api.POST('/console/v1/webhook-endpoints/{endpointId}/rotate-secret', { params: { path: { endpointId } } })),
  );
  if (rotate.data) return <SecretShown secret={rotate.data.secret} onClose={onClose} />;
  return (
    <Dialog
      title="Rotate the signing secret?"
      about="For a day every request carries two signatures, one of each secret. So your server can change over in its own time."
      onClose={onClose}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate(undefined)}>
            Rotate secret
          </Button>
        </>
      }
    />
  );
}

function TestEvent({ endpointId, onClose }: { endpointId: string; onClose(): void }) {
  const [kind, setKind] = useState<Kind>('message');
  const send = useChange(() =>
    must(api.POST('/console/v1/webhook-endpoints/{endpointId}/test-events', { params: { path: { endpointId } }, body: { kind } })),
  );
  return (
    <Dialog
      title="Send a test event"
      about="It is signed and delivered as every other event, with made-up content."
      onClose={onClose}
      onSubmit={() => send.mutate(undefined)}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" look="primary" isBusy={send.isPending}>
            Send
          </Button>
        </>
      }
    >
      <Select label="Event" value={kind} onChange={setKind} options={KINDS} />
      {send.data && (
        <Note tone="success">
          On its way.{' '}
          <Link className="link" to="/integrations/webhook-log/$eventId" params={{ eventId: send.data.eventId }} onClick={onClose}>
            See what your endpoint answers
          </Link>
        </Note>
      )}
    </Dialog>
  );
}
