import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiError, api, must, type Schemas } from '../../api/client';
import { Button } from '../../components/controls';
import { Facts, Failure, Note, Refused, Skeleton } from '../../components/display';
import { Confirm, Dialog } from '../../components/overlays';
import { useToasts } from '../../components/toasts';
import { useChange, useRead } from '../../hooks/queries';
import { counted, countText } from '../../lib/formats';

type Erased = Schemas['ErasureAnswer']['erased'];

const NOTHING: Erased = { messages: 0, media: 0, events: 0, recipients: 0, codes: 0, answers: 0 };
const sumOf = (one: Erased, other: Erased): Erased =>
  Object.fromEntries(
    Object.entries(one).map(([name, count]) => [name, count + other[name as keyof Erased]]),
  ) as unknown as Erased;

const COUNTS: readonly (readonly [keyof Erased, string])[] = [
  ['messages', 'Messages'],
  ['media', 'Received files'],
  ['events', 'Webhook events'],
  ['recipients', 'Bulk job rows'],
  ['codes', 'One-time passwords'],
  ['answers', 'API responses'],
];

function Counts({ erased }: { erased: Erased }) {
  return <Facts rows={COUNTS.map(([name, text]) => [text, countText(erased[name])] as const)} />;
}

/** Erases all data of a contact. Shows the amount first and then the progress. */
export function EraseDialog({ phone, onErased, onClose }: { phone: string; onErased(): void; onClose(): void }) {
  const [isReady, setReady] = useState(false);
  const [soFar, setSoFar] = useState<Erased>();
  const queries = useQueryClient();
  const { tell } = useToasts();
  const preview = useRead(['erasure', phone], () =>
    must(api.POST('/console/v1/contacts/erase', { body: { phone, dryRun: true } })),
  );
  const erase = useChange(
    async () => {
      let sum = NOTHING;
      for (let isDone = false; !isDone; ) {
        const step = await must(api.POST('/console/v1/contacts/erase', { body: { phone } })).catch(
          (error: ApiError) => {
            // An earlier response was lost, and the erasure has completed meanwhile.
            if (error.code === 'NOT_FOUND') return { done: true, erased: NOTHING };
            throw error;
          },
        );
        sum = sumOf(sum, step.erased);
        setSoFar(sum);
        isDone = step.done;
      }
      return sum;
    },
    { quiet: true },
  );
  const run = (): void =>
    erase.mutate(undefined, {
      onSuccess: ({ messages }) => {
        tell({ kind: 'success', text: `Contact erased, with ${counted(messages, 'message')}.` });
        onErased();
        // Drop all cached data, which may still contain the contact.
        void queries.resetQueries();
      },
    });
  if (isReady && !erase.isPending && !erase.error)
    return (
      <Confirm
        title={`Erase ${phone}?`}
        about="You cannot undo this."
        action="Erase contact"
        word={phone}
        isBusy={false}
        onConfirm={run}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      title={`Erase ${phone}`}
      about="Deletes all data of this contact: messages, files, events, job rows, one-time passwords and the opt-out."
      isClosable={!erase.isPending}
      onClose={onClose}
      foot={
        <>
          <span className="push" />
          <Button refusal={erase.isPending ? 'Wait for the erasure to finish' : undefined} onClick={onClose}>
            Cancel
          </Button>
          <Button
            look="danger"
            isBusy={erase.isPending}
            refusal={preview.data ? undefined : 'Wait for the counts to load'}
            onClick={() => (erase.error ? run() : setReady(true))}
          >
            {erase.error ? 'Resume' : 'Continue'}
          </Button>
        </>
      }
    >
      <Refused error={erase.error} fields={[]} />
      {preview.error && <Failure error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.isPending && <Skeleton />}
      {erase.isPending || erase.error ? (
        <>
          <p className="small strong">Erased so far</p>
          <Counts erased={soFar ?? NOTHING} />
        </>
      ) : (
        preview.data && <Counts erased={preview.data.erased} />
      )}
      <Note tone="warning">
        Daily totals and the audit log are kept, because they do not identify the contact. Job rows and stored API
        responses are kept without the number. If the person writes again, a new contact is created without the opt-out.
      </Note>
    </Dialog>
  );
}
