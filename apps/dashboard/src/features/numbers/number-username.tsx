import { useState } from 'react';
import { api, must } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Button, Form, TextField } from '../../components/controls';
import { Failure, Skeleton, Status } from '../../components/display';
import { Confirm } from '../../components/overlays';
import { useChange, useRead } from '../../hooks/queries';

/** Username of a business number on the platform, read when the panel opens. */
export function Username({ numberId }: { numberId: string }) {
  const params = { path: { numberId } };
  const read = useRead(['numbers', numberId, 'username'], () =>
    must(api.GET('/console/v1/numbers/{numberId}/username', { params })),
  );
  return (
    <section className="stack-2">
      <h3>Username</h3>
      {read.error && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {!read.data && !read.error && <Skeleton lines={1} />}
      {read.data && (
        <>
          <p className="hint">
            {read.data.username === null
              ? 'This number has no username. Contacts can find a business by its username, and still see its number.'
              : 'Contacts can find your business by this name, and still see its number.'}
          </p>
          {read.data.status === 'approved' && <Status tone="success">{`@${read.data.username} is visible`}</Status>}
          {read.data.status === 'reserved' && (
            <Status tone="info">{`@${read.data.username} is reserved, and not visible yet`}</Status>
          )}
          <ChangeUsername key={read.data.username} numberId={numberId} username={read.data.username} />
        </>
      )}
    </section>
  );
}

function ChangeUsername({ numberId, username }: { numberId: string; username: string | null }) {
  const params = { path: { numberId } };
  const refusal = useRefusal('admin');
  const [typed, setTyped] = useState(username ?? '');
  const [isAsking, setAsking] = useState(false);
  const wanted = typed.trim().replace(/^@/, '');
  const set = useChange(
    () => must(api.POST('/console/v1/numbers/{numberId}/username', { params, body: { username: wanted } })),
    { done: 'Username set.', quiet: true },
  );
  const remove = useChange(() => must(api.DELETE('/console/v1/numbers/{numberId}/username', { params })), {
    done: 'Username deleted.',
    quiet: true,
  });
  return (
    <Form onSubmit={() => refusal === undefined && wanted !== '' && set.mutate(undefined)}>
      <div className="stack-2">
        <TextField
          label="Username"
          hint="3 to 35 letters, digits, dots and underscores"
          value={typed}
          onChange={setTyped}
          fault={set.error?.faultOf('username') ?? set.error?.message}
          input={{ maxLength: 36, readOnly: refusal !== undefined, placeholder: 'your.business' }}
        />
        <div className="row">
          <Button
            type="submit"
            size="sm"
            isBusy={set.isPending}
            refusal={refusal ?? (wanted === (username ?? '') ? 'No changes to save' : undefined)}
          >
            Save username
          </Button>
          {username !== null && (
            <Button size="sm" look="danger-quiet" refusal={refusal} onClick={() => setAsking(true)}>
              Delete username
            </Button>
          )}
        </div>
      </div>
      {isAsking && (
        <Confirm
          title={`Delete @${username}?`}
          about="Contacts can no longer find your business by this name, and another business may claim it."
          action="Delete"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </Form>
  );
}
