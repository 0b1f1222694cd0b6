import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ApiError, api, must } from '../../../api/client';
import { Button } from '../../../components/controls';
import { Confirm } from '../../../components/overlays';
import { clockTime } from '../../../lib/formats';
import { DraftSaver, type SaveState } from './draft-saver';
import type { DraftBody } from './template-faults';
import type { Draft } from '../template-status';

/** Maximum wait for a save before leaving asks for confirmation. */
const LEAVING_MS = 3_000;

/** Retries after outages and rate limits. A rejection is final for the same text. */
function isWorthRetrying(error: unknown): boolean {
  const { status = 503 } = error instanceof ApiError ? error.more : {};
  return status === 429 || status >= 500;
}

interface AutosaveOptions {
  isOpen: boolean;
  /** Called with the error and the content of a failed save. */
  onRefusal(error: Error, body: DraftBody): void;
}

/** Saves the draft shortly after the last key press, and before the page is left. */
export function useAutosave(draft: Draft, body: DraftBody, { isOpen, onRefusal }: AutosaveOptions) {
  const queries = useQueryClient();
  const written = JSON.stringify(body);
  const [state, setState] = useState<SaveState>({ isDirty: false, retries: false });
  const [saver] = useState(
    () =>
      new DraftSaver(written, {
        isWorthRetrying,
        onChange: setState,
        store: async (sent) => {
          const change = { params: { path: { draftId: draft.id } }, body: JSON.parse(sent) as DraftBody };
          const answer = await must(api.PATCH('/console/v1/template-drafts/{draftId}', change)).catch(
            (error: Error) => {
              onRefusal(error, change.body);
              throw error;
            },
          );
          queries.setQueryData(['template-drafts', draft.id], answer);
          await queries.invalidateQueries({ queryKey: ['template-drafts'], exact: true });
        },
      }),
  );
  useEffect(() => {
    if (isOpen) saver.write(written);
  }, [saver, written, isOpen]);
  useEffect(() => () => saver.stop(), [saver]);
  return { saver, state };
}

/** Asks for confirmation before unsaved changes are lost. */
export function LeaveGuard({ saver, state: { isDirty, problem } }: ReturnType<typeof useAutosave>) {
  const blocker = useBlocker({
    enableBeforeUnload: () => isDirty,
    shouldBlockFn: async () => !(await isStoredSoon(saver)),
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Confirm
      title="Leave without saving?"
      about={`Your latest changes have not been saved${problem ? `: ${problem.message}` : '.'} They will be lost.`}
      action="Leave"
      isBusy={false}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    />
  );
}

function isStoredSoon(saver: DraftSaver): Promise<boolean> {
  const stored = saver.flush().then(
    () => true,
    () => false,
  );
  return Promise.race([stored, new Promise<false>((resolve) => setTimeout(() => resolve(false), LEAVING_MS))]);
}

export function Saved({ saver, state: { isDirty, savedAt, problem, retries } }: ReturnType<typeof useAutosave>) {
  if (problem)
    return (
      <>
        <div className="fault whole" role="status">
          <span>
            Not saved: {problem.message} {retries && 'Retrying automatically.'}
          </span>
          <Button size="sm" icon={RotateCcw} onClick={() => void saver.flush().catch(() => undefined)}>
            Try again
          </Button>
        </div>
        <span className="push" />
      </>
    );
  return (
    <span className="push dimmer hide-sm" role="status">
      {isDirty ? 'Not saved yet' : savedAt && `Saved ${clockTime(savedAt)}`}
    </span>
  );
}
