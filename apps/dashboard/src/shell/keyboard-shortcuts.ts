import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { focusOpenRow, writeIn } from '../lib/focus-composer';
import type { NavigationItem } from './navigation';

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
  [['r'], 'Reply in the open conversation'],
  [['n'], 'Write a note about it'],
  [['a'], 'Assign it to me'],
  [['e'], 'Mark it as done, and go on to the next'],
  [['Esc'], 'Close the open panel or dialog, or leave the composer for the list'],
  [['?'], 'Show keyboard shortcuts'],
];

/**
 * Global shortcuts. They are disabled during typing and while a dialog is open. Those of a conversation press the
 * control that names the key in `aria-keyshortcuts`.
 */
export function useKeys(items: readonly NavigationItem[], show: (overlay: 'palette' | 'keys') => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    let gAt = -Infinity;
    const act = (event: KeyboardEvent): (() => void) | undefined => {
      const { key } = event;
      if (document.querySelector('dialog[open]')) return undefined;
      if (key === 'Escape' && isComposing(event)) return leaveComposer;
      if (key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) return () => show('palette');
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return undefined;
      const place = performance.now() - gAt < G_WAITS_MS ? items.find((one) => one.key === key) : undefined;
      gAt = key === 'g' ? performance.now() : -Infinity;
      if (place) return () => void navigate({ to: place.to });
      if (key === '?') return () => show('keys');
      if (key === '/') return focusFilters;
      if (key === 'j' || key === 'k') return () => moveBy(key === 'j' ? 1 : -1);
      return actionOf(key);
    };
    const press = (event: KeyboardEvent): void => {
      const todo = act(event);
      if (!todo) return;
      event.preventDefault();
      todo();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [items, navigate, show]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** Returns whether the key was pressed in the text field of the composer, and nothing else handles it. */
const isComposing = ({ target, defaultPrevented, isComposing: isConverting }: KeyboardEvent): boolean =>
  target instanceof Element && target.matches('#composer textarea') && !defaultPrevented && !isConverting;

/** Moves the focus from the composer to the open row, or out of the field where the list is hidden. */
function leaveComposer(): void {
  if (focusOpenRow()) return;
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** Returns the action of a key in a conversation. On the row of another one, the key opens that first. */
function actionOf(key: string): (() => void) | undefined {
  const control = document.querySelector<HTMLElement>(`#main [aria-keyshortcuts="${CSS.escape(key)}"]`);
  const isWriting = key === 'r' || key === 'n';
  if (!control && !(isWriting && document.querySelector('#composer'))) return undefined;
  const row = document.activeElement?.closest<HTMLElement>('.convo-item:not([aria-current])');
  if (row) return () => row.click();
  return control ? () => control.click() : () => void writeIn(key === 'n' ? 'note' : 'reply');
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
