import { Link } from '@tanstack/react-router';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { api, must, type Schemas } from '../api/client';
import { useChange, useRead } from '../kit/data';
import { useRefusal } from '../api/session';
import { Button } from '../kit/controls';
import { Empty, Facts, Failure, Note, PageHead, Skeleton, Status, Time, type Tone } from '../kit/display';
import { Confirm, Menu } from '../kit/overlays';
import { EndpointForm, RotateSecret, TestEvent, type Kind, textOf } from './endpoint-dialogs';

type Endpoint = Schemas['WebhookEndpoint'];
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
        {endpoints?.map((endpoint) => (
          <EndpointBlock key={endpoint.id} endpoint={endpoint} />
        ))}
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
              <Button
                size="sm"
                refusal={refusal}
                isBusy={confirmRotation.isPending}
                onClick={() => confirmRotation.mutate(undefined)}
              >
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
