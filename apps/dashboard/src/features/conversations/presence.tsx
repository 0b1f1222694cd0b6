import { PenLine, Users } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api, must } from '../../api/client';
import { type Presence, watchPresence } from '../../api/live-events';
import { useRefusal } from '../../api/session';
import { useIsLive } from '../../hooks/use-live';
import { isUntouched } from '../../lib/user-activity';
import { useColleagues } from './queue';

const VIEWING_EVERY_MS = 20_000;
const WRITING_EVERY_MS = 3_000;
/** Time after which a state that is not repeated is forgotten. */
const FORGET_MS = { viewing: 45_000, writing: 8_000 };
const TICK_MS = 1_000;
/** Maximum random delay of a response to newcomers. One response serves several, and delays spread the requests. */
const ANSWER_WITHIN_MS = 3_000;

let writtenAt = -Infinity;

/** Returns whether the user is active on this page. Sending the states of an idle user would extend the session. */
const isHere = (): boolean => document.visibilityState === 'visible' && !isUntouched();

/** Sends the user's own state. A lost state is replaced by the next one. */
function show(contactId: string, state: Presence['state']): void {
  void must(api.POST('/console/v1/presence', { body: { contactId, state } })).catch(() => undefined);
}

/** Shows colleagues that the user writes, at most every {@link WRITING_EVERY_MS}. */
export function showWriting(contactId: string): void {
  if (performance.now() - writtenAt < WRITING_EVERY_MS) return;
  writtenAt = performance.now();
  show(contactId, 'writing');
}

/** Shows colleagues that the user has sent the message, and still has the conversation open. */
export function showSent(contactId: string): void {
  if (!isWriting()) return;
  writtenAt = -Infinity;
  show(contactId, 'viewing');
}

/** Returns whether colleagues see the user as writing. */
const isWriting = (): boolean => performance.now() - writtenAt < FORGET_MS.writing;

interface Seen {
  viewingUntil: number;
  writingUntil: number;
}

/** Colleagues in the same conversation: who writes, and who else has it open. */
export function Colleagues({ contactId }: { contactId: string }) {
  const isAgent = useRefusal('agent') === undefined;
  // Pages of colleagues respond with their own state, through the event stream.
  const isShown = useIsLive() && isAgent;
  const colleagues = useColleagues();
  const [seen, setSeen] = useState<ReadonlyMap<string, Seen>>(new Map());
  useEffect(() => {
    if (!isShown) return undefined;
    const showViewing = (): void => {
      if (isHere() && !isWriting()) show(contactId, 'viewing');
    };
    showViewing();
    const timer = setInterval(showViewing, VIEWING_EVERY_MS);
    return () => {
      clearInterval(timer);
      writtenAt = -Infinity;
      if (isHere()) show(contactId, 'left');
    };
  }, [contactId, isShown]);
  useEffect(() => {
    const known = new Map<string, Seen>();
    let answer: ReturnType<typeof setTimeout> | undefined;
    const answerSoon = (): void => {
      answer ??= setTimeout(() => {
        answer = undefined;
        if (isHere()) show(contactId, isWriting() ? 'writing' : 'viewing');
      }, Math.random() * ANSWER_WITHIN_MS);
    };
    const update = (): void => {
      const now = performance.now();
      for (const [userId, { viewingUntil }] of known) if (viewingUntil <= now) known.delete(userId);
      setSeen(new Map(known));
    };
    const unwatch = watchPresence(({ contactId: of, userId, state }) => {
      if (of !== contactId) return;
      const now = performance.now();
      // A colleague who has just arrived does not know who is here.
      if (!known.has(userId) && state !== 'left' && isShown) answerSoon();
      if (state === 'left') known.delete(userId);
      else
        known.set(userId, {
          viewingUntil: now + FORGET_MS.viewing,
          writingUntil: state === 'writing' ? now + FORGET_MS.writing : 0,
        });
      update();
    });
    const timer = setInterval(() => known.size > 0 && update(), TICK_MS);
    return () => {
      unwatch();
      clearInterval(timer);
      clearTimeout(answer);
    };
  }, [contactId, isShown]);
  const names = (of: (one: Seen) => boolean): string[] =>
    [...seen]
      .filter(([, one]) => of(one))
      .map(([userId]) => colleagues?.find(({ id }) => id === userId)?.name ?? 'A colleague');
  const now = performance.now();
  const writing = names(({ writingUntil }) => writingUntil > now);
  const viewing = names(({ writingUntil }) => writingUntil <= now);
  return (
    <div className="colleagues small" role="status">
      {writing.length > 0 && (
        <span className="row tight">
          <PenLine className="i i-14" aria-hidden />
          {listed(writing)} {writing.length === 1 ? 'is' : 'are'} typing
        </span>
      )}
      {viewing.length > 0 && (
        <span className="row tight dim">
          <Users className="i i-14" aria-hidden />
          {listed(viewing)} {viewing.length === 1 ? 'has' : 'have'} this conversation open
        </span>
      )}
    </div>
  );
}

const listed = (names: readonly string[]): string => new Intl.ListFormat('en').format(names);
