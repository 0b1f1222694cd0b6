import { useBlocker } from '@tanstack/react-router';
import { Confirm } from '../components/overlays';
import { isUnsaved } from '../lib/unsaved-forms';
import { hasUnsentFile } from '../features/conversations/reply-drafts';

/** Asks for confirmation before a page with unsaved input is left. Filters and panels of the same page do not ask. */
export function LeaveQuestion() {
  const leave = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isUnsaved(),
    // A reload keeps reply texts, but not files.
    enableBeforeUnload: () => isUnsaved() || hasUnsentFile(),
    withResolver: true,
  });
  if (leave.status !== 'blocked') return null;
  return (
    <Confirm
      title="Leave this page?"
      about="Your changes have not been saved."
      action="Leave"
      cancel="Stay"
      isBusy={false}
      onConfirm={leave.proceed}
      onClose={leave.reset}
    />
  );
}
