import { Link } from '@tanstack/react-router';
import { CheckCheck, ChevronDown, CircleCheck, Eye, RotateCcw } from 'lucide-react';
import { createContext, useContext, useRef } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useMe, useRefusal } from '../../api/session';
import { Button, Choice, Select } from '../../components/controls';
import { Menu } from '../../components/overlays';
import { useToasts } from '../../components/toasts';
import { usePopover } from '../../components/use-popover';
import { useChange, useRead } from '../../hooks/queries';
import { useFilters } from '../../hooks/use-filters';
import { oneOf } from '../../lib/filters';
import { compactText, totalText } from '../../lib/formats';
import { nameOf as nameOfContact } from '../contacts/shared/contact-parts';
import type { Message } from '../messages/shared/message-parts';
import { useConversationChange } from './conversation-change';
import { listFilters } from './send-again';

type Contact = Schemas['ContactDetail'];
type Queue = Schemas['QueueState'];

const COUNT_MS = 10_000;
const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_HOURS = 24;

/** Views of the queue, in the order of their tabs. */
const VIEWS = [
  ['unanswered', 'Unanswered'],
  ['mine', 'Mine'],
  ['unassigned', 'Unassigned'],
  ['all', 'All'],
  ['unread', 'Unread'],
  ['done', 'Done'],
] as const;
export type View = (typeof VIEWS)[number][0];
/** Number of views that have a tab of their own. The others are in a menu, so that the tabs take one row. */
const TABS = 4;

/** Texts of an empty view. */
export const EMPTY_VIEWS: Record<View, string> = {
  unread: 'You have seen all messages.',
  unanswered: 'Nobody is waiting for an answer.',
  mine: 'No open conversation is assigned to you.',
  unassigned: 'Every open conversation is assigned to a colleague.',
  all: 'A conversation starts when a customer writes to you or you send a template.',
  done: 'No conversation is marked as done.',
};

export const viewOf = (given: string | undefined): View => oneOf(given, VIEWS) ?? 'all';

/** Tabs of the views, each with its own address and the number of its conversations. */
export function ViewTabs({ view }: { view: View }) {
  const { box, isOpen, setOpen, close } = usePopover();
  const more = VIEWS.slice(TABS);
  const chosen = more.find(([name]) => name === view);
  return (
    <nav className="view-tabs" aria-label="Views">
      {VIEWS.slice(0, TABS).map((each) => (
        <ViewLink key={each[0]} view={each} isCurrent={each[0] === view} />
      ))}
      <div
        className="menu-box"
        ref={box}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && isOpen) close();
        }}
      >
        <button
          type="button"
          className={chosen ? 'is-on' : undefined}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {chosen ? chosen[1] : 'More'}
          <ChevronDown className="i i-14" aria-hidden />
          <span className="sr">: more views</span>
        </button>
        {isOpen && (
          <div className="menu" onClick={close}>
            {more.map((each) => (
              <ViewLink key={each[0]} view={each} isCurrent={each[0] === view} />
            ))}
          </div>
        )}
      </div>
    </nav>
  );
}

function ViewLink({ view: [name, text], isCurrent }: { view: (typeof VIEWS)[number]; isCurrent: boolean }) {
  const { data } = useRead(['conversations', 'counts'], () => must(api.GET('/console/v1/conversations/counts')), {
    everyMs: () => COUNT_MS,
  });
  const total = data?.[name];
  return (
    <Link
      to="."
      search={(now: object) => ({ ...listFilters(now), view: name === 'all' ? undefined : name })}
      activeOptions={{ exact: true }}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {text}
      {total && (
        <span className="count tn" title={totalText(total)}>
          {compactText(total.total)}
          {!total.totalIsExact && '+'}
        </span>
      )}
    </Link>
  );
}

/** Filter by the assigned user, in the address. Views of one's own and of unassigned conversations have none. */
export function AssigneeFilter() {
  const { me } = useMe();
  const colleagues = useColleagues();
  const [{ assignee, view }, filter] = useFilters();
  return (
    <Choice
      label="Assigned to"
      value={assignee}
      onChange={(chosen) =>
        filter({ assignee: chosen, ...(['mine', 'unassigned'].includes(viewOf(view)) && { view: undefined }) })
      }
      options={(colleagues ?? []).map(({ id, name }) => [id, id === me.user.id ? `${name} (you)` : name] as const)}
    />
  );
}

/**
 * Moves on from a conversation that was marked as done. The list provides it, because only it knows which one is next.
 */
export const NextConversation = createContext<(() => void) | undefined>(undefined);

/** Returns the users who can answer; undefined while they are loading. */
export function useColleagues(): readonly Schemas['Colleague'][] | undefined {
  const { data } = useRead(['colleagues'], () => must(api.GET('/console/v1/colleagues')), {
    everyMs: () => MINUTE_MS,
  });
  return data?.colleagues;
}

/** Returns the name of the assigned user; undefined while the users are loading. */
function nameOf(id: string, colleagues: ReturnType<typeof useColleagues>): string | undefined {
  return colleagues && (colleagues.find((colleague) => colleague.id === id)?.name ?? 'Former colleague');
}

/** State of a conversation below its preview in the list. */
export function QueueLine({ queue, closesIn }: { queue: Queue; closesIn: string | undefined }) {
  const { me } = useMe();
  const colleagues = useColleagues();
  const { assigneeId, done, waitingSince } = queue;
  const parts = [
    waitingSince !== null && `Waiting ${waitText(waitingSince)}`,
    assigneeId !== null && `Assigned to ${assigneeId === me.user.id ? 'you' : (nameOf(assigneeId, colleagues) ?? '…')}`,
    done && 'Done',
  ].filter(Boolean);
  if (parts.length === 0 && closesIn === undefined) return null;
  return (
    <span className="queue-line tiny cut">
      {done && <CircleCheck className="i i-14" aria-hidden />}
      {closesIn !== undefined && <span className="closing">{closesIn}</span>}
      {closesIn !== undefined && parts.length > 0 && ' · '}
      {parts.join(' · ')}
    </span>
  );
}

/** Returns how long a customer has waited: `5 min`, `3 h` or `2 d`. */
function waitText(since: string): string {
  const minutes = Math.max(1, Math.floor((Date.now() - Date.parse(since)) / MINUTE_MS));
  if (minutes < HOUR_MINUTES) return `${minutes} min`;
  const hours = Math.floor(minutes / HOUR_MINUTES);
  return hours < 2 * DAY_HOURS ? `${hours} h` : `${Math.floor(hours / DAY_HOURS)} d`;
}

interface ToolsProps {
  contact: Contact;
  /** Newest messages first. */
  messages: readonly Message[];
}

/** Actions of an open conversation. None of them but the read receipt is visible to the customer. */
export function QueueTools({ contact, messages }: ToolsProps) {
  const refusal = useRefusal('agent');
  const { me } = useMe();
  const colleagues = useColleagues();
  const { tell } = useToasts();
  const goOn = useContext(NextConversation);
  const tools = useRef<HTMLDivElement>(null);
  /** Moves the focus from a button that is about to disappear to its group. */
  const keepFocus = (): void => {
    if (tools.current?.contains(document.activeElement)) tools.current.focus();
  };
  const { change, conflict } = useConversationChange(contact, keepFocus);
  const update = (body: Schemas['ConversationChange']): void =>
    change.mutate(body, {
      onSuccess: ({ queue }) => {
        if (body.done && queue.done && goOn) {
          tell({ kind: 'success', text: `Marked as done: ${nameOfContact(contact)}` });
          return goOn();
        }
        keepFocus();
        if (body.done && !queue.done) tell({ kind: 'bad', text: 'A new message arrived. Read it, then mark as done.' });
      },
    });
  const receipt = useChange(
    (id: string) => must(api.POST('/console/v1/messages/{id}/read', { params: { path: { id } } })),
    { done: 'Read receipt sent.' },
  );
  const { queue, unreadCount } = contact;
  const seenUpTo = messages[0]?.id;
  if (!queue || seenUpTo === undefined) return null;
  const { assigneeId, done } = queue;
  const lastInbound = messages.find(({ direction }) => direction === 'inbound');
  const isListed = assigneeId === null || colleagues?.some(({ id }) => id === assigneeId);
  const options = [
    ['', 'Nobody'] as const,
    ...(colleagues ?? []).map(({ id, name }) => [id, id === me.user.id ? `${name} (you)` : name] as const),
    ...(isListed ? [] : [[assigneeId, nameOf(assigneeId, colleagues) ?? '…'] as const]),
  ];
  const isBusy = change.isPending;
  const unconfirmed = lastInbound?.readAt === null ? lastInbound : undefined;
  /** The actions that have buttons of their own on wide screens. */
  const others = [
    assigneeId !== me.user.id && { text: 'Assign to me', onChoose: () => update({ assigneeId: me.user.id }) },
    unreadCount > 0 && { text: 'Mark as seen', onChoose: () => update({ seenUpTo }) },
    unconfirmed && { text: 'Send read receipt', onChoose: () => receipt.mutate(unconfirmed.id) },
  ].filter((one) => one !== false && one !== undefined);
  return (
    <div className="convo-tools" role="group" aria-label="Conversation actions" ref={tools} tabIndex={-1}>
      {refusal === undefined ? (
        <Select
          isSmall
          label="Assigned to"
          value={(change.isPending ? change.variables.assigneeId : undefined) ?? assigneeId ?? ''}
          onChange={(chosen) => change.mutate({ assigneeId: chosen })}
          options={options}
        />
      ) : (
        <span className="small dim">
          Assigned to: {options.find(([id]) => id === (assigneeId ?? ''))?.[1] ?? 'Nobody'}
        </span>
      )}
      {assigneeId !== me.user.id && (
        <Button
          className="hide-sm"
          size="sm"
          refusal={refusal}
          isBusy={isBusy}
          aria-keyshortcuts="a"
          onClick={() => update({ assigneeId: me.user.id })}
        >
          Assign to me
        </Button>
      )}
      <span className="push" />
      {unreadCount > 0 && (
        <Button
          className="hide-sm"
          look="ghost"
          size="sm"
          icon={Eye}
          refusal={refusal}
          isBusy={isBusy}
          aria-label="Mark as seen"
          data-tip="Mark as seen, without a read receipt"
          onClick={() => update({ seenUpTo })}
        />
      )}
      {unconfirmed && (
        <Button
          className="hide-sm"
          look="ghost"
          size="sm"
          icon={CheckCheck}
          refusal={refusal}
          isBusy={receipt.isPending}
          aria-label="Send read receipt"
          data-tip="Send read receipt"
          // Manual: a receipt cannot be withdrawn, and an open page does not prove that anyone read the messages.
          onClick={() => receipt.mutate(unconfirmed.id, { onSuccess: keepFocus })}
        />
      )}
      {done ? (
        <Button size="sm" icon={RotateCcw} refusal={refusal} isBusy={isBusy} onClick={() => update({ done: false })}>
          Reopen
        </Button>
      ) : (
        <Button
          size="sm"
          icon={CircleCheck}
          refusal={refusal}
          isBusy={isBusy}
          aria-keyshortcuts="e"
          onClick={() => update({ done: true, seenUpTo })}
        >
          Mark as done
        </Button>
      )}
      {conflict}
      {others.length > 0 && (
        <span className="only-narrow">
          <Menu label="More actions" refusal={refusal} items={others} />
        </span>
      )}
    </div>
  );
}
