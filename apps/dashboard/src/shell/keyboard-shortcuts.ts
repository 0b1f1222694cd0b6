import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { NAVIGATION_ITEMS } from './navigation';

const G_WAITS_MS = 1_500;
/** Focusable element of a row; Enter opens it. */
const OPENER = 'a.cell, .link-cell, a, button';

/** Shortcuts except those with `g`, for the help dialog. */
export const SHORTCUTS: readonly (readonly [keys: readonly string[], text: string])[] = [
  [['⌘', 'K'], 'Search, or jump to a page or command'],
  [['/'], 'Focus the list filters'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open row'],
  [['Esc'], 'Close the open panel or dialog'],
  [['?'], 'Show keyboard shortcuts'],
];

/** Global shortcuts. They are disabled during typing and while a dialog is open. */
export function useKeys(show: (overlay: 'palette' | 'keys') => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    let gAt = -Infinity;
    const act = (event: KeyboardEvent): (() => void) | undefined => {
      const { key } = event;
      if (document.querySelector('dialog[open]')) return undefined;
      if (key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) return () => show('palette');
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return undefined;
      const place = performance.now() - gAt < G_WAITS_MS ? NAVIGATION_ITEMS.find((one) => one.key === key) : undefined;
      gAt = key === 'g' ? performance.now() : -Infinity;
      if (place) return () => void navigate({ to: place.to });
      if (key === '?') return () => show('keys');
      if (key === '/') return focusFilters;
      return key === 'j' || key === 'k' ? () => moveBy(key === 'j' ? 1 : -1) : undefined;
    };
    const press = (event: KeyboardEvent): void => {
      const todo = act(event);
      if (!todo) return;
      event.preventDefault();
      todo();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [navigate, show]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

function focusFilters(): void {
  document.querySelector<HTMLElement>('.filter-search input, .filters :is(input, select, button)')?.focus();
}

/** Moves the focus by rows, from the focused row or the one open in the side panel. */
function moveBy(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('#main :is(.table tbody tr, .convo-items li)')];
  const focused = rows.findIndex((row) => row.contains(document.activeElement));
  const at =
    focused >= 0
      ? focused
      : rows.findIndex((row) => row.ariaSelected === 'true' || row.querySelector('[aria-current]'));
  const next = rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + step))];
  const opener = next?.querySelector<HTMLElement>(OPENER) ?? next;
  // A row without a link can be focused, too.
  if (opener === next) next?.setAttribute('tabindex', '-1');
  opener?.focus();
}
