import { Link } from '@tanstack/react-router';
import { MessageSquareText } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useMe } from '../../api/session';
import { Button } from '../../components/controls';
import { Failure } from '../../components/display';
import { counted } from '../../lib/formats';
import { filledReply, matchingReplies, type SavedReply } from '../saved-replies/shared/reply-text';
import { useSavedReplies } from '../saved-replies/shared/use-saved-replies';

/** A slash at the start of the text opens the list; more than one word is no name. */
const TYPED = /^\/(\S{0,40})$/u;
const PREVIEW_CHARACTERS = 120;

interface PickerProps {
  /** Text of the composer. */
  text: string;
  /** Name of the contact; empty if unknown. */
  contactName: string;
  refusal: string | undefined;
  /** Called when the button opens the list, to focus the text field. */
  onOpen(): void;
  onInsert(text: string): void;
}

interface Picker {
  /** Attributes of the text field. */
  field: object;
  /** Returns true if the list has handled the key. */
  handleKey(event: KeyboardEvent): boolean;
  list: ReactNode;
  button: ReactNode;
}

function prevented(event: KeyboardEvent): true {
  event.preventDefault();
  event.stopPropagation();
  return true;
}

/**
 * List of saved replies for a text field, which keeps the focus. The list opens by a slash at the start of the text, or
 * by its button, and filters while the user types.
 */
export function useReplyPicker({ text, contactName, refusal, onOpen, onInsert }: PickerProps): Picker {
  const id = useId();
  const { me } = useMe();
  /** Text for which the list was closed, or opened by the button. */
  const [closedFor, closeFor] = useState<string>();
  const [openedFor, openFor] = useState<string>();
  // Typing closes a list that the button opened.
  if (openedFor !== undefined && openedFor !== text) openFor(undefined);
  const [active, setActive] = useState({ for: '', index: 0 });
  const typed = TYPED.exec(text)?.[1];
  const isOpen = refusal === undefined && ((typed !== undefined && closedFor !== text) || openedFor === text);
  const replies = useSavedReplies({ enabled: isOpen });
  const found = isOpen && replies.data ? matchingReplies(replies.data.savedReplies, typed ?? '') : [];
  const index = active.for === text ? Math.min(active.index, found.length - 1) : 0;
  const close = (): void => {
    openFor(undefined);
    closeFor(text);
  };
  const insert = (reply: SavedReply): void => {
    const filled = filledReply(reply.text, { name: contactName, agent: me.user.name });
    const before = typed === undefined ? text : '';
    const glue = before === '' || /\s$/.test(before) ? '' : ' ';
    openFor(undefined);
    onInsert(before + glue + filled);
  };
  const handleKey = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.nativeEvent.isComposing) return false;
    const chosen = found[index];
    const isEnter = event.key === 'Enter' && !event.shiftKey;
    if (event.key === 'Escape') close();
    // A name that is not found, or not loaded yet, must not be sent to the contact.
    else if (!chosen && !(isEnter && typed !== undefined)) return false;
    else if (!chosen) return prevented(event);
    else if (event.key === 'ArrowDown') setActive({ for: text, index: (index + 1) % found.length });
    else if (event.key === 'ArrowUp') setActive({ for: text, index: (index + found.length - 1) % found.length });
    else if (isEnter) insert(chosen);
    else return false;
    return prevented(event);
  };
  const list = isOpen && (
    <div className="saved-replies">
      {replies.error && <Failure error={replies.error} onRetry={() => void replies.refetch()} />}
      {found.length > 0 && (
        <ul id={id} role="listbox" aria-label="Saved replies">
          {found.map((reply, place) => (
            <li
              key={reply.id}
              id={`${id}-${reply.id}`}
              ref={(item) => {
                if (place === index) item?.scrollIntoView({ block: 'nearest' });
              }}
              role="option"
              aria-selected={place === index}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => insert(reply)}
            >
              <span className="strong">/{reply.name}</span>
              <span className="dim cut" dir="auto">
                {reply.text.slice(0, PREVIEW_CHARACTERS)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="row small dim">
        <span role="status">
          {replies.data &&
            (replies.data.savedReplies.length === 0
              ? 'Your team has no saved replies yet.'
              : found.length === 0
                ? 'No saved reply matches.'
                : counted(found.length, 'saved reply', 'saved replies'))}
        </span>
        <Link className="link push" to="/saved-replies">
          Manage
        </Link>
      </div>
    </div>
  );
  const chosen = found[index];
  return {
    field: {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      ...(chosen && { 'aria-controls': id, 'aria-activedescendant': `${id}-${chosen.id}` }),
    },
    handleKey,
    list,
    button: (
      <Button
        look="ghost"
        size="sm"
        icon={MessageSquareText}
        aria-label="Insert saved reply"
        aria-expanded={isOpen}
        refusal={refusal}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          if (isOpen) return close();
          closeFor(undefined);
          openFor(text);
          onOpen();
        }}
      />
    ),
  };
}
