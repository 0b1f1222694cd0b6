import type { Schemas } from '../../api/client';
import { Status, type Tone, wordOf } from '../../components/display';

type Template = Schemas['ManagedTemplate'];
export type Draft = Schemas['TemplateDraft'];

export const TONES: Record<Template['status'], Tone> = {
  APPROVED: 'success',
  PENDING: 'info',
  REJECTED: 'bad',
  FLAGGED: 'warning',
  DISABLED: 'neutral',
};
const DRAFT_TONES: Record<Draft['state'], Tone> = {
  draft: 'neutral',
  submitting: 'info',
  refused: 'bad',
  submitted: 'success',
};

export function DraftState({ draft, isBoxed = false }: { draft: Draft; isBoxed?: boolean }) {
  return (
    <Status tone={DRAFT_TONES[draft.state]} isBoxed={isBoxed}>
      {draft.state === 'refused' ? 'Rejected' : wordOf(draft.state)}
    </Status>
  );
}
