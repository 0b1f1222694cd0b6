import { Link } from '@tanstack/react-router';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useChange } from '../../hooks/queries';
import { useRefusal } from '../../api/session';
import { Button } from '../../components/controls';
import { Empty, Facts, Failure, Note, PageHead, Skeleton, Status, Time, type Tone } from '../../components/display';
import { Confirm, Menu } from '../../components/overlays';
import { counted } from '../../lib/formats';
import { EndpointForm, RotateSecret, TestEvent } from './endpoint-dialogs';
import { useEndpoints } from './webhook-endpoints';
import { Figures, useFigures } from './webhook-statistics';
import { type Kind, textOf } from './webhook-labels';

type Endpoint = Schemas['WebhookEndpoint'];
const TONES: Record<Endpoint['state'], Tone> = { enabled: 'success', degraded: 'warning', paused: 'neutral' };
const WORDS: Record<Endpoint['state'], string> = { enabled: 'Enabled', degraded: 'Failing', paused: 'Paused' };

export function Page() {
  const refusal = useRefusal('admin');
  const [isAdding, setAdding] = useState(false);
  const read = useEndpoints();
  const add = (
    <Button look="primary" size="sm" icon={Plus} refusal={refusal} onClick={() => setAdding(true)}>
      Add endpoint
    </Button>
  );
  const endpoints = read.data?.endpoints;
  const figuresOf = useFigures();
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
          Add an endpoint to receive signed events about messages, delivery statuses and templates.
        </Empty>
      )}
      <div className="stack">
        {endpoints?.map((endpoint) => (
          <EndpointBlock key={endpoint.id} endpoint={endpoint} figures={figuresOf(endpoint.id)} />
        ))}
      </div>
      {isAdding && <EndpointForm onClose={() => setAdding(false)} />}
    </div>
  );
}

function EndpointBlock({
  endpoint,
  figures,
}: {
  endpoint: Endpoint;
  figures: Schemas['WebhookEndpointFigures'] | undefined;
}) {
  const { id, url, kinds, state, failingSince, rotationEndsAt, maxInFlight, acceptStatuses, retrySchedule } = endpoint;
  const refusal = useRefusal('admin');
  const [asked, ask] = useState<'change' | 'test' | 'delete' | 'rotate'>();
  const close = (): void => ask(undefined);
  const params = { path: { endpointId: id } };
  const pause = useChange(() => must(api.POST('/console/v1/webhook-endpoints/{endpointId}/pause', { params })), {
    done: 'Endpoint paused. Its events are queued until you enable it.',
  });
  const enable = useChange(() => must(api.POST('/console/v1/webhook-endpoints/{endpointId}/enable', { params })), {
    done: 'Endpoint enabled. Queued events are being delivered.',
  });
  const remove = useChange(() => must(api.DELETE('/console/v1/webhook-endpoints/{endpointId}', { params })), {
    done: ({ dropped }) =>
      `Endpoint deleted. ${counted(dropped, 'pending delivery was dropped', 'pending deliveries were dropped')}.`,
    quiet: true,
  });
  const confirmRotation = useChange(
    () => must(api.POST('/console/v1/webhook-endpoints/{endpointId}/confirm-rotation', { params })),
    { done: 'Old secret expired. Only the new secret signs requests.' },
  );
  return (
    <section className="block">
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
            { text: 'Edit', refusal, onChoose: () => ask('change') },
            state === 'enabled'
              ? { text: 'Pause', refusal, onChoose: () => pause.mutate(undefined) }
              : { text: 'Enable', refusal, onChoose: () => enable.mutate(undefined) },
            { text: 'Rotate secret', refusal, onChoose: () => ask('rotate') },
            { text: 'Delete', refusal, isDanger: true, onChoose: () => ask('delete') },
          ]}
        />
      </div>
      {figures && <Figures of={figures} />}
      <div className="block-body">
        {failingSince !== null && (
          <Note tone="warning">
            Failing since <Time at={failingSince} />. No event has been accepted since. The{' '}
            <Link className="link" to="/integrations/webhook-log" search={{ endpointId: id }}>
              {' '}
              webhook log{' '}
            </Link>{' '}
            shows the responses of the endpoint.
          </Note>
        )}
        {rotationEndsAt !== null && (
          <Note
            tone="info"
            actions={
              <Button
                size="sm"
                refusal={refusal}
                isBusy={confirmRotation.isPending}
                onClick={() => confirmRotation.mutate(undefined)}
              >
                Expire old secret now
              </Button>
            }
          >
            Secret rotation in progress. The old secret expires <Time at={rotationEndsAt} />, or when you expire it.
            Until then <span className="mono">webhook-signature</span> contains signatures of both,{' '}
            <span className="mono">X-Service-Signature</span> the signature of the old secret and{' '}
            <span className="mono">X-Service-Signature-Next</span> the signature of the new secret.{' '}
          </Note>
        )}
        <Facts
          rows={[
            ['Events', kinds === null ? 'All' : (kinds as Kind[]).map((kind) => textOf(kind)).join(', ')],
            ['Success statuses', acceptStatuses === '200' ? 'Status 200' : 'Any 2xx status'],
            [
              'Retries',
              retrySchedule === 'extended' ? 'Ten attempts, within three days' : 'Five attempts, within 36 minutes',
            ],
            ['Concurrency', maxInFlight ?? 'Installation default'],
            ['Added', <Time key="added" at={endpoint.createdAt} />],
          ]}
        />
      </div>
      {asked === 'change' && <EndpointForm endpoint={endpoint} onClose={close} />}
      {asked === 'test' && <TestEvent endpoint={endpoint} onClose={close} />}
      {asked === 'rotate' && <RotateSecret endpointId={id} onClose={close} />}
      {asked === 'delete' && (
        <Confirm
          title="Delete endpoint?"
          about={`Pending events for ${url} are dropped. The log keeps earlier deliveries.`}
          action="Delete endpoint"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
          onClose={close}
        />
      )}
    </section>
  );
}
