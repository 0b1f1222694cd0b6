import { StickyNote, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { api, must } from '../../api/client';
import { useMe, useRefusal } from '../../api/session';
import { Button, Form } from '../../components/controls';
import { Note as NoteBar } from '../../components/display';
import { Confirm } from '../../components/overlays';
import { useChange } from '../../hooks/queries';
import { countText, fullTime, hourAndMinute } from '../../lib/formats';
import { attemptFor, keepUnsent, unsentTo, useUnsent } from './reply-drafts';
import type { Note } from './timeline';

const MOST_CHARACTERS = 4_000;

/** Internal note between the messages of a conversation. */
export function NoteBubble({ note }: { note: Note }) {
  const [isAsking, setAsking] = useState(false);
  const { me } = useMe();
  const agent = useRefusal('agent');
  const admin = useRefusal('admin');
  const isOwn = note.author.id === me.user.id;
  const remove = useChange(
    () => must(api.DELETE('/console/v1/notes/{noteId}', { params: { path: { noteId: note.id } } })),
    {
      done: 'Note deleted.',
      quiet: true,
    },
  );
  if (remove.isSuccess) return null;
  return (
    <div className="said aside" id={note.id}>
      <div className="bubble aside">
        <span className="from">
          <StickyNote className="i i-14" aria-hidden />
          <span className="strong">Note</span>
          <span dir="auto">{isOwn ? 'You' : (note.author.name ?? 'Former colleague')}</span>
        </span>
        <span className="body" dir="auto">
          {note.text}
        </span>
        <span className="meta">
          <time dateTime={note.createdAt} title={fullTime(note.createdAt)}>
            {hourAndMinute(note.createdAt)}
          </time>
        </span>
      </div>
      {agent === undefined && (
        <div className="acts">
          <Button
            look="ghost"
            size="sm"
            icon={Trash2}
            aria-label={`Delete note: ${note.text.slice(0, 60)}`}
            refusal={isOwn || admin === undefined ? undefined : 'Only the author and admins can delete a note.'}
            onClick={() => setAsking(true)}
          />
        </div>
      )}
      {isAsking && (
        <Confirm
          title="Delete this note?"
          about="It disappears for all users, and cannot be restored."
          action="Delete"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(undefined)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

interface ComposerProps {
  contactId: string;
  /** Key of the draft. */
  drafted: string;
  name: string;
}

/** Composer for notes, which are possible whether or not messages can be sent. */
export function NoteComposer({ contactId, drafted, name }: ComposerProps) {
  const refusal = useRefusal('agent');
  const { note: text = '' } = useUnsent(drafted);
  const area = useRef<HTMLTextAreaElement>(null);
  const attempt = attemptFor(`note ${drafted}`);
  const add = useChange(
    (note: string) =>
      // A retry after a lost response stores no second note.
      attempt.of({ contactId, note }, (key) =>
        must(
          api.POST('/console/v1/contacts/{contactId}/notes', {
            params: { path: { contactId }, header: { 'Idempotency-Key': key } },
            body: { text: note },
          }),
        ),
      ),
    { quiet: true },
  );
  const fault = faultOf(text);
  const submit = (): void => {
    if (refusal ?? fault ?? (add.isPending ? 'pending' : undefined)) return;
    void add.mutateAsync(text).then(
      () => {
        if (unsentTo(drafted).note === text) keepUnsent(drafted, { note: '' });
        area.current?.focus();
      },
      () => undefined,
    );
  };
  return (
    <Form isGuarded={false} onSubmit={submit}>
      {add.error && (
        <NoteBar tone="bad">
          {add.error.message}
          <p className="mono">{[add.error.code, add.error.more.requestId].filter(Boolean).join(' · ')}</p>
        </NoteBar>
      )}
      <div className="composer-box">
        <textarea
          ref={area}
          aria-label={`Note about ${name}`}
          placeholder={refusal ?? `Write a note about ${name}. Only your team sees it`}
          dir="auto"
          value={text}
          readOnly={refusal !== undefined || add.isPending}
          onChange={(event) => keepUnsent(drafted, { note: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            submit();
          }}
        />
        <div className="composer-bar">
          <span className={text.length > MOST_CHARACTERS ? 'meter over' : 'dimmer tiny hide-sm'}>
            {fault && text !== '' ? fault : 'Never sent to the contact. Enter to add, Shift+Enter for a new line'}
          </span>
          <Button
            type="submit"
            look="primary"
            size="sm"
            icon={StickyNote}
            isBusy={add.isPending}
            refusal={refusal ?? fault}
          >
            Add note
          </Button>
        </div>
      </div>
    </Form>
  );
}

/** Returns why the note cannot be added. */
function faultOf(text: string): string | undefined {
  if (text.trim() === '') return 'Enter a note';
  return text.length > MOST_CHARACTERS
    ? `${countText(text.length)} of ${countText(MOST_CHARACTERS)} characters`
    : undefined;
}
