import { LayoutTemplate, Paperclip, Reply, Send, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Schemas } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Button, Form, Segments, Select } from '../../components/controls';
import { Note } from '../../components/display';
import { countText } from '../../lib/formats';
import { visibleName } from '../../lib/visible-name';
import { keyOf, nameOf } from '../contacts/shared/contact-parts';
import { type Message, ourNumberOf, Readable } from '../messages/shared/message-parts';
import { type Draft, kindOfFile, useSend } from './send-message';
import { AttachedFile, faultOfFile, KIND_FAULT, pastedFile } from './attached-file';
import { useIsOpen } from './service-window';
import { NewMessage, NewMessageMenu } from './new-message';
import type { Kind } from './new-message-forms';
import { NoteComposer } from './notes';
import { showSent, showWriting } from './presence';
import { unfilledIn } from '../saved-replies/shared/reply-text';
import { useReplyPicker } from './reply-picker';
import { TemplateSender } from './late-template-sender';
import { useSendAgain } from './send-again';
import { attemptFor, isEmpty, isSameReply, keepUnsent, unsentTo, useUnsent } from './reply-drafts';

const MOST_CHARACTERS = 4_096;
const MOST_CAPTION_CHARACTERS = 1_024;
const UNCAPTIONED: Record<string, string> = { audio: 'An audio file', sticker: 'A sticker' };
const FILE_TYPES =
  'image/jpeg,image/png,image/webp,video/mp4,video/3gpp,audio/*,application/pdf,text/plain,text/csv,.doc,.docx,.xls,.xlsx,.ppt,.pptx';

type Contact = Schemas['ContactDetail'];

/** Returns the business numbers with an open service window, the most recently messaged first. */
const openNumbersOf = ({ windows, blockedOn }: Contact): string[] =>
  windows
    .filter(({ open, phoneNumber }) => open && !blockedOn.includes(phoneNumber))
    .sort((one, other) => other.expiresAt.localeCompare(one.expiresAt))
    .map(({ phoneNumber }) => phoneNumber);

/** Returns why nothing can be sent: the contact opted out of all messages, or every business number blocks them. */
export function refusalOf({ blocked, blockedOn, windows }: Contact): string | undefined {
  if (blocked) return 'This contact has opted out. Opt them in first.';
  const isBlocked = blockedOn.length > 0 && windows.every(({ phoneNumber }) => blockedOn.includes(phoneNumber));
  return isBlocked ? 'This contact is blocked. Unblock them first.' : undefined;
}

/** Message composer of a conversation: free text while the service window is open, templates always. */
export function Composer({ contact, phone }: { contact: Contact; phone: string }) {
  const isOpen = useIsOpen(contact);
  const role = useRefusal('agent');
  const refusal = role ?? refusalOf(contact);
  const [isChoosing, setChoosing] = useState(false);
  const drafted = keyOf(contact);
  const { again, forget } = useSendAgain({ drafted, people: [phone, contact.phone, contact.userId], refusal });
  const unsent = useUnsent(drafted);
  const isNote = unsent.isNote === true;
  const isWaiting = !isEmpty(unsent);
  const last = [...contact.windows].sort((one, other) => other.expiresAt.localeCompare(one.expiresAt))[0]?.phoneNumber;
  const sendTemplate = (
    <Button
      size="sm"
      look={isOpen ? 'ghost' : 'primary'}
      icon={LayoutTemplate}
      refusal={refusal}
      aria-label={isOpen ? 'Choose template' : undefined}
      onClick={() => setChoosing(true)}
    >
      {isOpen ? undefined : 'Choose template'}
    </Button>
  );
  return (
    <div className={isNote ? 'composer is-note' : 'composer'} id="composer">
      <Segments
        isSmall
        label="Write"
        value={isNote ? 'note' : 'reply'}
        onChange={(mode) => keepUnsent(drafted, { isNote: mode === 'note' })}
        options={[
          ['reply', 'Reply'],
          ['note', 'Note'],
        ]}
      />
      {isNote ? (
        <NoteComposer contactId={contact.id} drafted={drafted} name={nameOf(contact)} />
      ) : isOpen ? (
        <FreeComposer contact={contact} phone={phone} refusal={refusal} extra={sendTemplate} />
      ) : (
        <Note tone="info" actions={sendTemplate}>
          {contact.lastInboundAt
            ? 'The contact has not written in the last 24 hours'
            : 'The contact has not written yet'}
          . You can send only approved templates.{isWaiting && ' Your draft is kept.'}
        </Note>
      )}
      {isChoosing && (
        <TemplateSender phone={phone} name={nameOf(contact)} from={last} onClose={() => setChoosing(false)} />
      )}
      {again && (
        <TemplateSender
          phone={phone}
          name={nameOf(contact)}
          from={again.from}
          again={again.template}
          onClose={forget}
        />
      )}
    </div>
  );
}

interface FreeComposerProps {
  contact: Contact;
  phone: string;
  refusal: string | undefined;
  extra: React.ReactNode;
}

function FreeComposer({ contact, phone, refusal, extra }: FreeComposerProps) {
  // One draft per conversation, whether the URL uses the phone number or the user ID.
  const drafted = keyOf(contact);
  const unsent = useUnsent(drafted);
  const { text, file, isVoice = false, answers } = unsent;
  const [chosen, setChosen] = useState<string>();
  const [kind, setKind] = useState<Kind>();
  const input = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const send = useSend({ attempt: attemptFor(drafted) });
  const numbers = openNumbersOf(contact);
  // A reply is sent from the business number of the message it replies to.
  const answering = answers && ourNumberOf(answers);
  const open = [chosen, unsent.from].find((number) => number !== undefined && numbers.includes(number));
  const from = answering ?? open ?? numbers[0];
  const closed =
    answering && !numbers.includes(answering)
      ? `The 24-hour window of ${answering} has ended. Remove the quote to send from another number.`
      : undefined;
  const fault = closed ?? faultOf(text, file);
  const name = nameOf(contact);
  const saved = useReplyPicker({
    text,
    contactName: visibleName(contact.name) ?? '',
    refusal,
    onOpen: () => area.current?.focus(),
    onInsert: (filled) => {
      keepUnsent(drafted, { text: filled });
      area.current?.focus();
    },
  });
  const submit = (): void => {
    if (send.isPending || (refusal ?? fault) !== undefined) return;
    const of = from === undefined ? {} : { from };
    const draft: Draft = file
      ? {
          to: phone,
          ...of,
          type: kindOfFile(file),
          caption: text.trim() || undefined,
          voice: isVoice ? 'true' : undefined,
          answers: answers?.id,
          file,
        }
      : {
          body: {
            to: phone,
            ...of,
            type: 'text',
            text: { body: text },
            ...(answers && { context: { messageId: answers.id } }),
          },
        };
    // Handle the result even when another conversation is open by then.
    void send.mutateAsync(draft).then(
      () => {
        if (isSameReply(unsentTo(drafted), unsent))
          keepUnsent(drafted, { text: '', file: undefined, isVoice: false, answers: undefined, from: undefined });
        showSent(contact.id);
        area.current?.focus();
      },
      () => undefined,
    );
  };
  const form = (
    <Form isGuarded={false} onSubmit={submit}>
      {send.error && (
        <Note tone="bad">
          {send.error.code === 'UNSUPPORTED_MEDIA' && file ? KIND_FAULT : send.error.message}
          <p className="mono">{[send.error.code, send.error.more.requestId].filter(Boolean).join(' · ')}</p>
        </Note>
      )}
      {saved.list}
      <div className="composer-box">
        {answers && <Answered message={answers} onRemove={() => keepUnsent(drafted, { answers: undefined })} />}
        {file && <AttachedFile file={file} isVoice={isVoice} drafted={drafted} />}
        <textarea
          ref={area}
          aria-label={`Message to ${name}`}
          placeholder={refusal ?? placeholderOf(file, name)}
          dir="auto"
          value={text}
          readOnly={refusal !== undefined || send.isPending}
          onChange={(event) => {
            keepUnsent(drafted, { text: event.target.value });
            showWriting(contact.id);
          }}
          {...saved.field}
          onPaste={(event) => {
            const pasted = pastedFile(event);
            if (!pasted || refusal !== undefined || send.isPending) return;
            event.preventDefault();
            keepUnsent(drafted, { file: pasted, isVoice: false });
          }}
          onKeyDown={(event) => {
            if (saved.handleKey(event)) return;
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            submit();
          }}
        />
        <PlaceholderWarning text={text} />
        <div className="composer-bar">
          <input
            ref={input}
            className="sr"
            type="file"
            aria-label="File to send"
            tabIndex={-1}
            accept={FILE_TYPES}
            onChange={({ target }) => {
              keepUnsent(drafted, { file: target.files?.[0], isVoice: false });
              target.value = '';
            }}
          />
          <Button
            look="ghost"
            size="sm"
            icon={Paperclip}
            aria-label="Attach file"
            refusal={refusal}
            onClick={() => input.current?.click()}
          />
          <NewMessageMenu refusal={refusal ?? closed} onChoose={setKind} />
          {saved.button}
          {extra}
          {numbers.length > 1 && !answers && (
            <Select
              isSmall
              label="From"
              value={from ?? ''}
              onChange={setChosen}
              options={numbers.map((number) => [number, number] as const)}
            />
          )}
          <span className={fault && text.length > MOST_CAPTION_CHARACTERS ? 'meter over' : 'dimmer tiny hide-sm'}>
            {fault && (file ? !faultOfFile(file) : text !== '') ? fault : 'Enter to send, Shift+Enter for a new line'}
          </span>
          <Button type="submit" look="primary" size="sm" icon={Send} isBusy={send.isPending} refusal={refusal ?? fault}>
            Send
          </Button>
        </div>
      </div>
    </Form>
  );
  return (
    <>
      {form}
      {kind && <NewMessage kind={kind} target={{ contact, phone, from, answers }} onClose={() => setKind(undefined)} />}
    </>
  );
}

/** The message being replied to, until the reply is sent or the quote is removed. */
function Answered({ message, onRemove }: { message: Message; onRemove(): void }) {
  return (
    <span className="composer-file">
      <Reply className="i i-14" aria-hidden />
      <span className="cut" dir="auto">
        <span className="dimmer">Reply to: </span>
        <Readable message={message} />
      </span>
      <Button look="ghost" size="sm" icon={X} aria-label="Remove quote" onClick={onRemove} />
    </span>
  );
}

/** Warns of placeholders that the contact would receive. */
function PlaceholderWarning({ text }: { text: string }) {
  const [first] = unfilledIn(text);
  return (
    <p className="hint composer-fault" role="status">
      {first !== undefined && `The contact will see “${first}” as it is written here.`}
    </p>
  );
}

function placeholderOf(file: File | undefined, name: string): string {
  if (!file) return `Write to ${name}`;
  const uncaptioned = UNCAPTIONED[kindOfFile(file)];
  return uncaptioned ? `${uncaptioned} cannot have a caption` : 'Caption (optional)';
}

/** Returns why the draft cannot be sent. */
function faultOf(text: string, file: File | undefined): string | undefined {
  if (!file && text.trim() === '') return 'Enter a message';
  const longest = file ? MOST_CAPTION_CHARACTERS : MOST_CHARACTERS;
  if (text.length > longest) return `${countText(text.length)} of ${countText(longest)} characters`;
  if (!file) return undefined;
  const kind = kindOfFile(file);
  if (UNCAPTIONED[kind] && text.trim() !== '')
    return `${UNCAPTIONED[kind]} cannot have a caption. Send the text as a separate message.`;
  return faultOfFile(file);
}
