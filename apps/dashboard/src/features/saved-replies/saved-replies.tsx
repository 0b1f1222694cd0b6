import { MessageSquareText, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { AttemptKey } from '../../api/attempt-key';
import { api, must, type Schemas } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Button, TextArea, TextField } from '../../components/controls';
import { Note, PageHead, Refused, Time } from '../../components/display';
import { countOf, List } from '../../components/list';
import { Cancel, Confirm, Dialog } from '../../components/overlays';
import { useChange } from '../../hooks/queries';
import { filledReply, REPLY_VARIABLES, type SavedReply, unknownIn } from './shared/reply-text';
import { useSavedReplies } from './shared/use-saved-replies';

const MOST_CHARACTERS = 4_096;

export function Page() {
  const refusal = useRefusal('admin');
  const replies = useSavedReplies();
  const [edited, edit] = useState<SavedReply | 'new'>();
  const list = { ...replies, rows: replies.data?.savedReplies ?? [] };
  return (
    <div className="page narrow">
      <PageHead title="Saved replies" count={countOf(list)}>
        <Button look="primary" size="sm" icon={Plus} refusal={refusal} onClick={() => edit('new')}>
          New saved reply
        </Button>
      </PageHead>
      <p className="dim">
        Type <code>/</code> in an empty reply to a customer to insert one of these texts.
      </p>
      <List
        label="Saved replies"
        list={list}
        keyOf={({ id }) => id}
        empty={{
          icon: MessageSquareText,
          title: 'No saved replies',
          text: 'A saved reply is a text that your team sends often.',
        }}
        columns={[
          { head: 'Name', cell: ({ name }) => <span className="strong">/{name}</span> },
          {
            head: 'Text',
            isWide: true,
            cell: ({ text }) => (
              <span className="dim cut" dir="auto">
                {text}
              </span>
            ),
          },
          {
            head: 'Changed',
            hide: 'sm',
            cell: ({ updatedAt }) => (
              <span className="dim">
                <Time at={updatedAt} />
              </span>
            ),
          },
          {
            head: '',
            isNumber: true,
            cell: (reply) => <RowButtons reply={reply} refusal={refusal} onEdit={() => edit(reply)} />,
          },
        ]}
      />
      {edited && <EditDialog reply={edited === 'new' ? undefined : edited} onClose={() => edit(undefined)} />}
    </div>
  );
}

interface RowProps {
  reply: SavedReply;
  refusal: string | undefined;
  onEdit(): void;
}

function RowButtons({ reply: { id, name }, refusal, onEdit }: RowProps) {
  const [isAsking, setAsking] = useState(false);
  const remove = useChange(
    () => must(api.DELETE('/console/v1/saved-replies/{replyId}', { params: { path: { replyId: id } } })),
    { done: 'Saved reply deleted.', quiet: true },
  );
  return (
    <span className="row tight">
      <Button size="sm" look="ghost" aria-label={`Edit ${name}`} refusal={refusal} onClick={onEdit}>
        {' '}
        Edit{' '}
      </Button>
      <Button size="sm" look="ghost" aria-label={`Delete ${name}`} refusal={refusal} onClick={() => setAsking(true)}>
        {' '}
        Delete{' '}
      </Button>
      {isAsking && (
        <Confirm
          title={`Delete /${name}?`}
          about="Messages that were sent with it stay."
          action="Delete"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </span>
  );
}

const VARIABLES = [
  ['name', 'Contact name'],
  ['agent', 'Your name'],
] as const;

/** Returns a warning of a placeholder that is no variable. */
function warningOf(text: string): string | undefined {
  const [first] = unknownIn(text);
  if (first === undefined) return undefined;
  const names = Object.keys(REPLY_VARIABLES);
  const meant = names.find((name) => first.replace(/[{}\s]/g, '').toLowerCase() === name);
  const advice = meant ? `Write {{${meant}}} to insert the name.` : 'The variables are {{name}} and {{agent}}.';
  const seen = first.startsWith('{{') ? '' : ' The contact would see it as it is written.';
  return `“${first}” is not a variable.${seen} ${advice}`;
}

function EditDialog({ reply, onClose }: { reply: SavedReply | undefined; onClose(): void }) {
  const [name, setName] = useState(reply?.name ?? '');
  const [text, setText] = useState(reply?.text ?? '');
  const attempt = useRef(new AttemptKey());
  const field = useRef<HTMLDivElement>(null);
  const unknown = warningOf(text);
  /** Inserts the variable at the cursor, as typing does. */
  const insert = (variable: string): void => {
    const area = field.current?.querySelector('textarea');
    if (!area) return;
    const { selectionStart: start, selectionEnd: end } = area;
    flushSync(() => setText(text.slice(0, start) + variable + text.slice(end)));
    area.focus();
    area.setSelectionRange(start + variable.length, start + variable.length);
  };
  const save = useChange(
    (body: Schemas['NewSavedReply']) =>
      reply
        ? must(api.PATCH('/console/v1/saved-replies/{replyId}', { params: { path: { replyId: reply.id } }, body }))
        : attempt.current.of(body, (key) =>
            must(api.POST('/console/v1/saved-replies', { params: { header: { 'Idempotency-Key': key } }, body })),
          ),
    { done: 'Saved reply saved.', quiet: true },
  );
  return (
    <Dialog
      title={reply ? `Edit /${reply.name}` : 'New saved reply'}
      isClosable={!save.isPending}
      isWide
      onClose={onClose}
      onSubmit={() => save.mutate({ name, text }, { onSuccess: onClose })}
      foot={
        <>
          <span className="push" />
          <Cancel isBusy={save.isPending} onClose={onClose} />
          <Button type="submit" look="primary" isBusy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <Refused error={save.error} fields={['name', 'text']} />
      <TextField
        label="Name"
        hint="Letters, digits and hyphens. Agents type it after the slash."
        value={name}
        onChange={setName}
        fault={save.error?.faultOf('name')}
        input={{ autoFocus: true, maxLength: 40 }}
      />
      <div className="stack-2" ref={field}>
        <TextArea
          label="Text"
          hint="{{name}} becomes the name of the contact, and {{agent}} the name of the user who inserts the text."
          value={text}
          onChange={setText}
          meter={[text.length, MOST_CHARACTERS]}
          fault={save.error?.faultOf('text')}
        />
        <div className="row wrap" role="group" aria-label="Insert a variable">
          {VARIABLES.map(([variable, label]) => (
            <Button key={variable} size="sm" icon={Plus} onClick={() => insert(`{{${variable}}}`)}>
              {label}
            </Button>
          ))}
        </div>
        <div role="status">{unknown && <Note tone="warning">{unknown}</Note>}</div>
      </div>
      {text.includes('{{') && (
        <p className="hint saved-preview" dir="auto">
          {filledReply(text, REPLY_VARIABLES)}
        </p>
      )}
    </Dialog>
  );
}
