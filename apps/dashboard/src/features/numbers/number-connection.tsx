import { api, must } from '../../api/client';
import { useRead } from '../../hooks/queries';
import { Failure, Note, Skeleton, Status } from '../../components/display';

/** Missing requirements for sending and receiving, queried when the panel opens. */
export function Connection({ numberId }: { numberId: string }) {
  const read = useRead(['numbers', numberId, 'connection'], () =>
    must(api.GET('/console/v1/numbers/{numberId}/connection', { params: { path: { numberId } } })),
  );
  const missing = read.data?.checks.filter(({ state }) => state === 'missing');
  const unknown = read.data?.checks.filter(({ state }) => state === 'unknown') ?? [];
  return (
    <section className="stack-2">
      <h3>Connection</h3>
      {read.error && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {!missing && !read.error && <Skeleton lines={1} />}
      {missing?.length === 0 && <Status tone="success">No issues</Status>}
      {missing?.map(({ check, found, remedy }) => (
        <Note key={check} tone="warning">
          {found}
          {remedy !== null && <p className="dim">{remedy}</p>}
        </Note>
      ))}
      {unknown.map(({ check, found }) => (
        <p key={check} className="hint">
          Not checked: {found}
        </p>
      ))}
      {missing !== undefined && missing.length > 0 && (
        <p className="hint">
          Ask the operator of this installation to resolve these issues. Results are at most one minute old.
        </p>
      )}
    </section>
  );
}
