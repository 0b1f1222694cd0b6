import { AppError, type TemplateFault } from '@switchboard/contracts';
import type { ManagedRow } from '../templates/managed.queries';
import { isSameContent } from './content-key';
import type { DraftContent } from '@switchboard/template-rules';
import type { DraftRow } from './drafts.queries';
import { editableComponents } from './editable-components';

/** Upstream states in which a template can be edited. */
const EDITABLE = ['APPROVED', 'REJECTED', 'PAUSED'];

export function invalid(field: string, message: string): AppError {
  return new AppError('INVALID_VALUE', { message, details: [{ field, message }] });
}

/** Returns one error that lists all faults by field. */
export function faulty(faults: readonly TemplateFault[]): AppError {
  const [first] = faults;
  return new AppError('INVALID_VALUE', {
    message: `the template cannot be submitted: ${first?.field} ${first?.message}`,
    details: [...faults],
  });
}

/** @throws AppError INVALID_VALUE when the draft is being or has been submitted */
export function requireOpen({ state }: Pick<DraftRow, 'state'>): void {
  if (state === 'submitting') throw invalid('draftId', 'the draft is being submitted');
  if (state === 'submitted') throw invalid('draftId', 'the draft was submitted: edit the template instead');
}

/** Returns the faults of a new template: its name and language must not exist yet. */
export function nameFaults(existing: Pick<ManagedRow, 'id'> | undefined): TemplateFault[] {
  return existing
    ? [
        {
          field: 'name',
          message: 'there is a template of this name and language already: edit it, or choose another name',
        },
      ]
    : [];
}

/** Returns the faults of an edit: the template's state, a changed category, or no change. */
export function editFaults(template: ManagedRow | undefined, content: DraftContent): TemplateFault[] {
  if (!template) return [{ field: 'templateId', message: 'the template no longer exists' }];
  const upstreamStatus = template.upstreamStatus.toUpperCase();
  if (!EDITABLE.includes(upstreamStatus))
    return [
      {
        field: 'templateId',
        message: `a template that is ${upstreamStatus} cannot be edited: only ${EDITABLE.join(', ')} ones`,
      },
    ];
  const isOther = template.category !== content.category;
  if (isOther && upstreamStatus === 'APPROVED')
    return [{ field: 'category', message: 'the category of an approved template cannot be edited' }];
  // After a lost response, the content identifies the edit. An edit that changes nothing would be ambiguous.
  const isUnchanged =
    !isOther &&
    isSameContent(content, {
      category: template.category,
      components: editableComponents(template.category, template.components),
    });
  return isUnchanged ? [{ field: 'components', message: 'nothing is changed' }] : [];
}
