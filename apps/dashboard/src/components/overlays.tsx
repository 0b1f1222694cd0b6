import { Ellipsis, type LucideIcon, X } from 'lucide-react';
import { type ReactNode, type SyntheticEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ApiError } from '../api/client';
import { Button, Form, TextField } from './controls';
import { Refused } from './display';
import { WithReasons } from './disabled-reasons';
import { usePopover } from './use-popover';
import { isUnsaved } from '../lib/unsaved-forms';

interface DialogProps {
  title: string;
  about?: ReactNode;
  children?: ReactNode;
  foot: ReactNode;
  isWide?: boolean;
  onClose(): void;
  onSubmit?(): void;
  /** Whether Escape closes the dialog. Turn it off for content that is shown only once. */
  isClosable?: boolean;
  /** Whether Escape asks for confirmation once something was entered. */
  isGuarded?: boolean;
}

/**
 * Opens a modal dialog and restores the focus when it closes.
 * @param options.isClosable whether Escape closes it. Browsers let a page cancel only the first Escape and close the
 * dialog on the next one; the dialog is then reopened
 */
export function useModal(onClose: () => void, { isClosable = true } = {}) {
  const ref = useRef<HTMLDialogElement>(null);
  // Close before the element leaves the document: only a closed dialog restores the focus.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return {
    ref,
    closedby: isClosable ? ('closerequest' as const) : ('none' as const),
    onCancel: (event: SyntheticEvent): void => {
      // The event also bubbles from a file field in the dialog when its file picker is cancelled.
      if (event.target !== ref.current) return;
      event.preventDefault();
      if (isClosable) onClose();
    },
    onClose: (): void => {
      if (!ref.current || ref.current.open) return;
      if (isClosable) onClose();
      else ref.current.showModal();
    },
  };
}

/** Cancel button; disabled while a request is pending whose response is shown only once. */
export function Cancel({ isBusy, onClose }: { isBusy: boolean; onClose(): void }) {
  return (
    <Button aria-disabled={isBusy || undefined} onClick={() => !isBusy && onClose()}>
      Cancel
    </Button>
  );
}

/** Modal dialog. The browser traps the focus in it. */
export function Dialog({ onClose, ...props }: DialogProps) {
  const { title, about, children, foot, isWide, onSubmit, isClosable = true, isGuarded = true } = props;
  const [isAsking, setAsking] = useState(false);
  const modal = useModal(() => (isUnsaved(modal.ref.current) ? setAsking(true) : onClose()), { isClosable });
  const id = useId();
  const inside = (
    <>
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        {about && <p>{about}</p>}
      </div>
      <div className="dialog-body">{children}</div>
      <WithReasons className="dialog-foot">{foot}</WithReasons>
    </>
  );
  return (
    <>
      <dialog {...modal} className={isWide ? 'dialog wide' : 'dialog'} aria-labelledby={id}>
        {onSubmit ? (
          <Form onSubmit={onSubmit} isGuarded={isGuarded}>
            {inside}
          </Form>
        ) : (
          inside
        )}
      </dialog>
      {isAsking && (
        <Confirm
          title="Discard changes?"
          about="Your input has not been saved."
          action="Discard"
          cancel="Keep editing"
          isBusy={false}
          onConfirm={onClose}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

interface ConfirmProps {
  title: string;
  about: ReactNode;
  action: string;
  cancel?: string;
  isBusy: boolean;
  /** Error shown in the dialog, which stays open: a toast would be hidden behind it. */
  error?: ApiError | null;
  /** Word to type before an irreversible action. */
  word?: string;
  onConfirm(): void;
  onClose(): void;
}

/** Confirmation dialog for an irreversible action. */
export function Confirm({ title, about, error = null, word, onConfirm, onClose, ...buttons }: ConfirmProps) {
  const { action, cancel = 'Cancel', isBusy } = buttons;
  const [typed, setTyped] = useState('');
  // Hide an error from an earlier opening of the dialog.
  const [earlier] = useState(error);
  return (
    <Dialog
      title={title}
      about={about}
      onClose={onClose}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            look="danger"
            isBusy={isBusy}
            refusal={word !== undefined && typed !== word ? `Type ${word} first` : undefined}
            onClick={onConfirm}
          >
            {action}
          </Button>
        </>
      }
    >
      <Refused error={error === earlier ? null : error} fields={[]} />
      {word !== undefined && <TextField label={`Type ${word} to confirm`} value={typed} onChange={setTyped} />}
    </Dialog>
  );
}

/** Side panel with its own URL. Takes the focus, and returns it to the row on close. */
export function Panel({
  title,
  status,
  children,
  foot,
  onClose,
}: {
  title: string;
  status?: ReactNode;
  children: ReactNode;
  foot?: ReactNode;
  onClose(): void;
}) {
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const shown = panel.current;
    const before = document.activeElement;
    const { pathname } = location;
    shown?.focus();
    return () => {
      if (!shown?.contains(document.activeElement)) return;
      // Wait until the list is rendered without the panel.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const links = document.querySelectorAll<HTMLAnchorElement>('#main .table a');
        const row = [...links].find((link) => link.pathname === pathname);
        (row ?? (before instanceof HTMLElement ? before : undefined))?.focus();
      });
    };
  }, []);
  useEffect(() => {
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) onClose();
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [onClose]);
  return (
    <aside className="panel" aria-labelledby={id} ref={panel} tabIndex={-1}>
      <div className="panel-head">
        <h2 id={id} className="cut">
          {title}
        </h2>
        {status}
        <span className="push" />
        <Button look="ghost" size="sm" icon={X} aria-label="Close" onClick={onClose} />
      </div>
      <div className="panel-body">{children}</div>
      {foot && <WithReasons className="panel-foot">{foot}</WithReasons>}
    </aside>
  );
}

interface MenuItem {
  text: string;
  /** What the item does, below its text. */
  hint?: string;
  refusal?: string | undefined;
  isDanger?: boolean;
  onChoose(): void;
}

interface MenuProps {
  label: string;
  icon?: LucideIcon;
  /** Whether the button shows the label beside the icon. */
  isLabelled?: boolean;
  /** Whether the menu opens above its button, at the bottom of a page. */
  isAbove?: boolean;
  refusal?: string | undefined;
  items: readonly (MenuItem | false)[];
}

export function Menu({ label, icon = Ellipsis, isLabelled = false, isAbove = false, refusal, items }: MenuProps) {
  const { box, isOpen, setOpen, close } = usePopover();
  useEffect(() => {
    if (isOpen) box.current?.querySelector<HTMLElement>('.menu button')?.focus();
  }, [box, isOpen]);
  const move = (event: React.KeyboardEvent): void => {
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      close();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = [...(box.current?.querySelectorAll<HTMLElement>('.menu button') ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[(at + step + all.length) % all.length]?.focus();
  };
  return (
    <div className={isLabelled ? 'menu-box labelled' : 'menu-box'} ref={box} onKeyDown={move}>
      <Button
        look={isLabelled ? undefined : 'ghost'}
        size="sm"
        icon={icon}
        refusal={refusal}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isLabelled && label}
      </Button>
      {isOpen && (
        <div className={isAbove ? 'menu above' : 'menu'} role="menu" aria-label={label}>
          {items.map(
            (item) =>
              item && (
                <button
                  key={item.text}
                  type="button"
                  role="menuitem"
                  className={item.isDanger ? 'danger-item' : ''}
                  aria-disabled={item.refusal !== undefined || undefined}
                  onClick={() => {
                    if (item.refusal !== undefined) return;
                    // Before the item's dialog opens, which returns the focus to where it was.
                    close();
                    item.onChoose();
                  }}
                >
                  <span>
                    {item.text}
                    {(item.refusal ?? item.hint) !== undefined && <small>{item.refusal ?? item.hint}</small>}
                  </span>
                </button>
              ),
          )}
        </div>
      )}
    </div>
  );
}
