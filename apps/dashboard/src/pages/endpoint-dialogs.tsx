import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, must, type Schemas } from '../api/client';
import { useChange } from '../kit/data';
import { Button, Check, Select, TextField } from '../kit/controls';
import { CopyLine, Note } from '../kit/display';
import { Dialog } from '../kit/overlays';

type Endpoint = Schemas['WebhookEndpoint'];
export type Kind = Schemas['TestEvent']['kind'];
const KINDS: readonly (readonly [Kind, string])[] = [
  ['message', 'Messages that come in'],
  ['message_status', 'Delivery states of messages'],
  ['template_status', 'Changes of templates'],
  ['phone_number_quality', 'Quality of numbers'],
  ['job_completed', 'Completed jobs'],
  ['job_paused', 'Paused jobs'],
  ['job_failed', 'Failed jobs'],
];

export const textOf = (kind: Kind): string => KINDS.find(([name]) => name === kind)?.[1] ?? kind;

/** A new endpoint, or a change of one. The URL must answer the challenge before anything is saved. */
export function EndpointForm({ endpoint, onClose }: { endpoint?: Endpoint; onClose(): void }) {
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
      <TextField
        label="URL"
        value={url}
        onChange={setUrl}
        fault={failure?.faultOf('url')}
        input={{ type: 'url', autoFocus: true, placeholder: 'https://example.com/hook' }}
      />
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
        The{' '}
        <Link className="link" to="/api-guide" onClick={onClose}>
          API guide
        </Link>{' '}
        has receivers that check the signature.
      </p>
    </Dialog>
  );
}

export function RotateSecret({ endpointId, onClose }: { endpointId: string; onClose(): void }) {
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

export function TestEvent({ endpointId, onClose }: { endpointId: string; onClose(): void }) {
  const [kind, setKind] = useState<Kind>('message');
  const send = useChange(() =>
    must(
      api.POST('/console/v1/webhook-endpoints/{endpointId}/test-events', {
        params: { path: { endpointId } },
        body: { kind },
      }),
    ),
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
          <Link
            className="link"
            to="/integrations/webhook-log/$eventId"
            params={{ eventId: send.data.eventId }}
            onClick={onClose}
          >
            See what your endpoint answers
          </Link>
        </Note>
      )}
    </Dialog>
  );
}
