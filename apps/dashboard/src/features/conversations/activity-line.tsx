import type { ReactNode } from 'react';
import { useMe } from '../../api/session';
import { fullTime, hourAndMinute } from '../../lib/formats';
import type { Activity } from './timeline';

type Person = Activity['actor'];

/** Line between messages that says who assigned, closed or reopened the conversation. */
export function ActivityLine({ activity }: { activity: Activity }) {
  const { me } = useMe();
  return (
    <span className="activity" id={activity.id}>
      <ActivityText activity={activity} ownId={me.user.id} />{' '}
      <time className="tn" dateTime={activity.createdAt} title={fullTime(activity.createdAt)}>
        {hourAndMinute(activity.createdAt)}
      </time>
    </span>
  );
}

interface TextProps {
  activity: Pick<Activity, 'action' | 'actor' | 'assignee'>;
  /** User who reads the text. */
  ownId: string;
}

/** Says what happened, without a full stop: `Meera took this conversation`. */
export function ActivityText({ activity: { action, actor, assignee }, ownId }: TextProps) {
  const by = nameIn(actor, ownId, 'You');
  const whom = nameIn(assignee, ownId, 'you');
  const isOwn = actor?.id === assignee?.id;
  if (action === 'reopened-by-message') return 'Reopened by a new message';
  if (action === 'reopened-by-failure') return 'Reopened because an answer failed';
  if (action === 'done') return <>{by ?? 'Somebody'} marked this conversation as done</>;
  if (action === 'reopened') return <>{by ?? 'Somebody'} reopened this conversation</>;
  if (action === 'unassigned')
    return by === undefined ? (
      <>No longer assigned to {whom}</>
    ) : (
      <>
        {by} unassigned {isOwn ? 'this conversation' : whom}
      </>
    );
  if (by === undefined) return <>Assigned to {whom}</>;
  return isOwn ? (
    <>{by} took this conversation</>
  ) : (
    <>
      {by} assigned this conversation to {whom}
    </>
  );
}

/** Returns how a text names a user; undefined for nobody. */
function nameIn(person: Person, ownId: string, own: 'You' | 'you'): ReactNode | undefined {
  if (person === null) return undefined;
  if (person.id === ownId) return own;
  return <bdi>{person.name ?? (own === 'You' ? 'A former colleague' : 'a former colleague')}</bdi>;
}
