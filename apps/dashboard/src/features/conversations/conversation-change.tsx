import { ApiError, api, must, type Schemas } from '../../api/client';
import { useMe } from '../../api/session';
import { Confirm } from '../../components/overlays';
import { useChange } from '../../hooks/queries';
import { relativeTime } from '../../lib/formats';
import { ActivityText } from './activity-line';
import type { Activity } from './timeline';

type Change = Schemas['ConversationChange'];

/** Newest assignment, in the error of an assignment that expected another one. */
interface Assignment {
  assignee: Activity['assignee'];
  changedBy: Activity['actor'];
  changedAt: string | null;
}

const assignmentOf = (error: Error | null): Assignment | undefined =>
  error instanceof ApiError && error.code === 'ASSIGNEE_CHANGED'
    ? (error.more.body?.assignment as Assignment)
    : undefined;

/**
 * Changes the queue state of a conversation. If a colleague has assigned it since the page was read, `conflict` asks
 * before it replaces the assignment.
 * @param onTaken called after the assignment was replaced
 */
export function useConversationChange(contact: Schemas['ContactDetail'], onTaken: () => void) {
  const { me } = useMe();
  const change = useChange(
    (body: Change) =>
      must(
        api.PATCH('/console/v1/contacts/{contactId}/conversation', {
          params: { path: { contactId: contact.id } },
          body: {
            ...(body.assigneeId !== undefined && { expectedAssigneeId: contact.queue?.assigneeId ?? '' }),
            ...body,
          },
        }),
      ),
    { quiet: (error) => assignmentOf(error) !== undefined },
  );
  const now = assignmentOf(change.error);
  const wanted = change.variables;
  const isOwn = wanted?.assigneeId === me.user.id;
  const conflict = now && (
    <Confirm
      title={isOwn ? 'Take over this conversation?' : 'Change the assignment?'}
      about={
        <>
          <ActivityText
            activity={{
              action: now.assignee ? 'assigned' : 'unassigned',
              actor: now.changedBy,
              assignee: now.assignee,
            }}
            ownId={me.user.id}
          />
          {now.changedAt !== null && ` ${agoText(now.changedAt)}`}.
        </>
      }
      action={isOwn ? 'Take over' : 'Change'}
      isBusy={change.isPending}
      onConfirm={() => change.mutate({ ...wanted, expectedAssigneeId: now.assignee?.id ?? '' }, { onSuccess: onTaken })}
      onClose={() => change.reset()}
    />
  );
  return { change, conflict };
}

/** `5 s ago`, `3 min ago` */
function agoText(at: string): string {
  const seconds = Math.max(1, Math.round((Date.now() - Date.parse(at)) / 1_000));
  return seconds < 60 ? `${seconds} s ago` : relativeTime(at);
}
