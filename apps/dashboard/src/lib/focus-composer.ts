const composerOf = (): Element | null => document.querySelector('#composer');

/** Focuses the composer, or the send-template button when the service window is closed. */
export function focusComposer(): void {
  const field = composerOf()?.querySelector<HTMLElement>('textarea, .note-bar button');
  (field ?? composerOf()?.querySelector('button'))?.focus();
}

/** Switches the composer to replies or notes, and focuses it. @returns whether the page has one */
export function writeIn(mode: 'reply' | 'note'): boolean {
  const [reply, note] = composerOf()?.querySelectorAll<HTMLElement>('.seg button') ?? [];
  (mode === 'note' ? note : reply)?.click();
  // The next frame shows the chosen field.
  requestAnimationFrame(focusComposer);
  return reply !== undefined;
}

/** Focuses the row of the open conversation in the list. @returns whether it is visible */
export function focusOpenRow(): boolean {
  const row = document.querySelector<HTMLElement>('.convo-items [aria-current]');
  row?.focus();
  return row !== null && row === document.activeElement;
}
