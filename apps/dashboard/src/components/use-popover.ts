import { type RefObject, useEffect, useRef, useState } from 'react';

interface Popover {
  /** Element that contains the button and the popover. */
  box: RefObject<HTMLDivElement | null>;
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
  /** Closes the popover and returns the focus to its button. */
  close(): void;
}

/** State of a popover, which a press outside of its box closes. */
export function usePopover(): Popover {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const leaveOutside = ({ target }: Event): void => {
      if (!(target instanceof Node && box.current?.contains(target))) setOpen(false);
    };
    addEventListener('pointerdown', leaveOutside);
    return () => removeEventListener('pointerdown', leaveOutside);
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    box.current?.querySelector('button')?.focus();
  };
  return { box, isOpen, setOpen, close };
}
