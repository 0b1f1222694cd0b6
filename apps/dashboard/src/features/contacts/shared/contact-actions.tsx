import { useState } from 'react';
import { api, must, type Schemas } from '../../../api/client';
import { useRefusal } from '../../../api/session';
import { Button, Segments } from '../../../components/controls';
import { useChange } from '../../../hooks/queries';
import { Refused } from '../../../components/display';
import { Dialog } from '../../../components/overlays';

type Contact = Schemas['ContactDetail'];

export function OptOutButton({ contact }: { contact: Contact }) {
  const isOut = contact.optedOut || contact.blocked;
  const refusal = useRefusal(isOut ? 'admin' : 'agent');
  const [isAsking, setAsking] = useState(false);
  const params = { path: { contactId: contact.id } };
  const optIn = useChange(() => must(api.POST('/console/v1/contacts/{contactId}/opt-in', { params })), {
    done: 'Contact opted in.',
  });
  return (
    <>
      {isOut ? (
        <Button size="sm" refusal={refusal} isBusy={optIn.isPending} onClick={() => optIn.mutate(undefined)}>
          Opt in
        </Button>
      ) : (
        <Button size="sm" look="danger-quiet" refusal={refusal} onClick={() => setAsking(true)}>
          Opt out
        </Button>
      )}
      {isAsking && <OptOutDialog contactId={contact.id} onClose={() => setAsking(false)} />}
    </>
  );
}

function OptOutDialog({ contactId, onClose }: { contactId: string; onClose(): void }) {
  const [scope, setScope] = useState<'marketing' | 'everything'>('marketing');
  const optOut = useChange(
    () =>
      must(api.POST('/console/v1/contacts/{contactId}/opt-out', { params: { path: { contactId } }, body: { scope } })),
    { done: 'Contact opted out.', quiet: true },
  );
  return (
    <Dialog
      title="Opt out"
      about="These messages are rejected from now on."
      onClose={onClose}
      onSubmit={() => optOut.mutate(undefined, { onSuccess: onClose })}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={optOut.isPending}>
            Opt out
          </Button>
        </>
      }
    >
      <Refused error={optOut.error} fields={[]} />
      <Segments
        label="Opt out of"
        value={scope}
        onChange={setScope}
        options={[
          ['marketing', 'Marketing'],
          ['everything', 'Everything'],
        ]}
      />
      <p className="hint">
        {scope === 'marketing'
          ? 'Marketing templates are rejected. Replies and other templates are still delivered.'
          : 'All messages are rejected, including one-time passwords.'}
      </p>
    </Dialog>
  );
}
