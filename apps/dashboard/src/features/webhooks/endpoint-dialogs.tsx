import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useChange, useRead } from '../../hooks/queries';
import { Button, Check, Select, TextField } from '../../components/controls';
import { CopyLine, Note, Refused, Time } from '../../components/display';
import { Cancel, Dialog } from '../../components/overlays';
import { type Kind, KINDS, sentenceOfFailure } from './webhook-labels';

type Endpoint = Schemas['WebhookEndpoint'];
/** Form for a new or existing endpoint. The URL must pass the verification challenge before it is saved. */
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
    { done: 'Endpoint updated.', quiet: true },
  );
  if (create.data) return <SecretShown secret={create.data.secret} onClose={onClose} />;
  const sent = endpoint ? change : create;
  const failure = sent.error;
  return (
    <Dialog
      title={endpoint ? 'Edit endpoint' : 'Add endpoint'}
      about="Switchboard first sends a challenge to the URL. Your server must return status 200 with the challenge as plain text."
      isWide
      isClosable={!sent.isPending}
      onClose={onClose}
      onSubmit={() => (endpoint ? change.mutate(undefined, { onSuccess: onClose }) : create.mutate(undefined))}
      foot={
        <>
          <span className="push" />
          <Cancel isBusy={sent.isPending} onClose={onClose} />
          <Button type="submit" look="primary" isBusy={sent.isPending}>
            {endpoint ? 'Save' : 'Verify and add'}
          </Button>
        </>
      }
    >
      {failure && !failure.faultOf('url') && (
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
        hint="Sent with the challenge. Your server must reject any other token"
        value={verifyToken}
        onChange={setToken}
        fault={failure?.faultOf('verifyToken')}
      />
      <div className="field">
        <span className="label">
          Events <span className="opt">(default: all)</span>
        </span>
        <div className="checks" role="group" aria-label="Events">
          {KINDS.map(([kind, text]) => (
            <Check
              key={kind}
              label={
                <>
                  {text} <code className="mono dimmer">{kind}</code>
                </>
              }
              checked={kinds.includes(kind)}
              onChange={() => setKinds(kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind])}
            />
          ))}
        </div>
      </div>
      <div className="two">
        <Select
          label="Success statuses"
          value={acceptStatuses}
          onChange={setAccept}
          options={[
            ['200', 'Only status 200'],
            ['2xx', 'Any 2xx status'],
          ]}
        />
        <Select
          label="Retries"
          value={retrySchedule}
          onChange={setRetries}
          options={[
            ['standard', 'Five attempts, within 36 minutes'],
            ['extended', 'Ten attempts, within three days'],
          ]}
        />
      </div>
    </Dialog>
  );
}

function SecretShown({ secret, about, onClose }: { secret: string; about?: ReactNode; onClose(): void }) {
  return (
    <Dialog
      title="Copy the signing secret"
      about="The secret is shown only once. Your server uses it to verify the signatures of requests."
      isClosable={false}
      onClose={onClose}
      foot={
        <Button look="primary" className="push" onClick={onClose}>
          I have stored the secret
        </Button>
      }
    >
      <CopyLine label="Secret" text={secret} />
      {about}
      <p className="hint">
        The{' '}
        <Link className="link" to="/api-guide" onClick={onClose}>
          API guide
        </Link>{' '}
        has sample receivers in TypeScript, Python and PHP that verify the signature.
      </p>
    </Dialog>
  );
}

export function RotateSecret({ endpointId, onClose }: { endpointId: string; onClose(): void }) {
  const rotate = useChange(
    () =>
      must(api.POST('/console/v1/webhook-endpoints/{endpointId}/rotate-secret', { params: { path: { endpointId } } })),
    { quiet: true },
  );
  if (rotate.data)
    return (
      <SecretShown
        secret={rotate.data.secret}
        about={
          <ol className="steps-list hint">
            <li>Configure your server with the new secret.</li>
            <li>Send a test event and check in the webhook log that your server accepts it.</li>
            <li>
              Choose “Expire old secret now” in the webhook settings. Otherwise the old secret expires automatically{' '}
              <Time at={rotate.data.rotationEndsAt} />.
            </li>
          </ol>
        }
        onClose={onClose}
      />
    );
  return (
    <Dialog
      title="Rotate the signing secret?"
      about="Creates a new secret. The old secret stays valid for 24 hours, or until you expire it."
      isClosable={!rotate.isPending}
      onClose={onClose}
      foot={
        <>
          <span className="push" />
          <Cancel isBusy={rotate.isPending} onClose={onClose} />
          <Button look="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate(undefined)}>
            Rotate secret
          </Button>
        </>
      }
    >
      <Refused error={rotate.error} fields={[]} />
      <p className="hint">
        Until then <span className="mono">webhook-signature</span> contains a signature of each secret. A server that
        checks this header can switch to the new secret at any time.
      </p>
      <p className="hint">
        <span className="mono">X-Service-Signature</span> uses the old secret until it expires, and{' '}
        <span className="mono">X-Service-Signature-Next</span> uses the new secret. A server that checks only the first
        header must accept both secrets during the rotation.
      </p>
    </Dialog>
  );
}

export function TestEvent({ endpoint, onClose }: { endpoint: Endpoint; onClose(): void }) {
  const [kind, setKind] = useState<Kind>('message');
  const send = useChange(
    () =>
      must(
        api.POST('/console/v1/webhook-endpoints/{endpointId}/test-events', {
          params: { path: { endpointId: endpoint.id } },
          body: { kind },
        }),
      ),
    { quiet: true },
  );
  return (
    <Dialog
      title="Send test event"
      about="The event is signed and delivered like any other. Its content is sample data and marked as such."
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
      <Refused error={send.error} fields={[]} />
      <Select
        label="Event"
        value={kind}
        onChange={setKind}
        options={KINDS.map(([name, text]) => [name, `${text} (${name})`] as const)}
      />
      {send.data && <Outcome eventId={send.data.eventId} isPaused={endpoint.state === 'paused'} onClose={onClose} />}
    </Dialog>
  );
}

/** Interval between reads of a test event, until its first attempt has ended. */
const OUTCOME_MS = 500;

/** Shows the outcome of the first attempt to deliver a test event. */
function Outcome({ eventId, isPaused, onClose }: { eventId: string; isPaused: boolean; onClose(): void }) {
  const firstOf = (data: { event: Schemas['WebhookEventDetail'] } | undefined) => data?.event.deliveries[0];
  const read = useRead(
    ['webhook-events', eventId],
    () => must(api.GET('/console/v1/webhook-events/{eventId}', { params: { path: { eventId } } })),
    { everyMs: (data) => (isPaused || firstOf(data)?.attempts[0]?.finishedAt ? undefined : OUTCOME_MS) },
  );
  const delivery = firstOf(read.data);
  const attempt = delivery?.attempts[0];
  const isDone = attempt !== undefined && attempt.finishedAt !== null;
  const isGood = isDone && attempt.errorClass === null;
  return (
    <Note tone={isGood ? 'success' : isDone ? 'bad' : 'info'}>
      <span role="status">
        {isDone ? (
          <>
            {isGood ? 'Delivered: ' : 'Not delivered: '}
            {attempt.statusCode === null
              ? (sentenceOfFailure(attempt.errorClass ?? '') ?? 'the request failed.')
              : `your endpoint returned ${attempt.statusCode} in ${attempt.durationMs ?? 0} ms.`}{' '}
            {delivery?.nextAttemptAt && 'Switchboard tries again. '}
          </>
        ) : (
          `Event queued. ${isPaused ? 'It is sent when you enable the endpoint.' : 'Waiting for your endpoint…'} `
        )}
      </span>
      <Link className="link" to="/integrations/webhook-log/$eventId" params={{ eventId }} onClick={onClose}>
        View the response of your endpoint
      </Link>
    </Note>
  );
}
