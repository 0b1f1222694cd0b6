/** Focuses the composer, or the send-template button when the service window is closed. */
export function focusComposer(): void {
  const composer = document.querySelector('#composer');
  (composer?.querySelector('textarea') ?? composer?.querySelector('button'))?.focus();
}
