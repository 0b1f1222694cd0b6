import { Ellipsis, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button, Form, TextField } from './controls';

interface DialogProps {
  title: string;
  about?: ReactNode;
  children?: ReactNode;
  /** The buttons; the last one is what the dialog is for. */
  foot: ReactNode;
  isWide?: boolean;
  onClose(): void;
  /** Makes the dialog a form. */
  onSubmit?(): void;
  /** Whether Escape may close it. */
  isClosable?: boolean;
}

/** A dialog over the page. The browser keeps the focus in it. */
export function Dialog({ title, about, children, foot, isWide, onClose, onSubmit, isClosable = true }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const inside = (
    <>
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        {about && <p>{about}</p>}
      </div>
      <div className="dialog-body">{children}</div>
      <div className="dialog-foot">{foot}</div>
    </>
  );
  return (
    <dialog
      ref={dialog}
      className={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (isClosable) onClose();
      }}
    >
      {onSubmit ? <Form onSubmit={onSubmit}>{inside}</Form> : inside}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  about: ReactNode;
  /** What happens, as the button says it. */
  action: string;
  isBusy: boolean;
  /** Must be typed first, for what cannot be undone. */
  word?: string;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, about, action, isBusy, word, onConfirm, onClose }: ConfirmProps) {
  const [typed, setTyped] = useState('');
  return (
    <Dialog
      title={title}
      about={about}
      onClose={onClose}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="danger"
            isBusy={isBusy}
            refusal={word !== undefined && typed !== word ? `First type ${word}` : undefined}
            onClick={onConfirm}
          >
            {action}
          </Button>
        </>
      }
    >
      {word !== undefined && <TextField label={`Type ${word} to confirm`} value={typed} onChange={setTyped} />}
    </Dialog>
  );
}

/** Something beside the list, with an address of its own. */
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
  useEffect(() => {
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) onClose();
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [onClose]);
  return (
    <aside className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id} className="cut">
          {title}
        </h2>
        {status}
        <span className="push" />
        <Button look="ghost" size="sm" icon={X} aria-label="Close" onClick={onClose} />
      </div>
      <div className="panel-body">{children}</div>
      {foot && <div className="panel-foot">{foot}</div>}
    </aside>
  );
}

interface MenuItem {
  text: string;
  refusal?: string | undefined;
  isDanger?: boolean;
  onChoose(): void;
}

/** Actions behind three dots. */
export function Menu({ label, items }: { label: string; items: readonly (MenuItem | false)[] }) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    box.current?.querySelector<HTMLElement>('.menu button')?.focus();
    const close = (event: Event): void => {
      if (!(event.target instanceof Node && box.current?.contains(event.target))) setOpen(false);
    };
    addEventListener('pointerdown', close);
    return () => removeEventListener('pointerdown', close);
  }, [isOpen]);
  const move = (event: React.KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      setOpen(false);
      box.current?.querySelector('button')?.focus();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = [...(box.current?.querySelectorAll<HTMLElement>('.menu button') ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[(at + step + all.length) % all.length]?.focus();
  };
  return (
    <div className="menu-box" ref={box} onKeyDown={move}>
      <Button
        look="ghost"
        size="sm"
        icon={Ellipsis}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <div className="menu" role="menu" aria-label={label}>
          {items.map(
            (item) =>
              item && (
                <button
                  key={item.text}
                  type="button"
                  role="menuitem"
                  className={item.isDanger ? 'danger-item' : ''}
                  aria-disabled={item.refusal !== undefined || undefined}
                  title={item.refusal}
                  onClick={() => {
                    if (item.refusal !== undefined) return;
                    setOpen(false);
                    item.onChoose();
                  }}
                >
                  {item.text}
                </button>
              ),
          )}
        </div>
      )}
    </div>
  );
}
