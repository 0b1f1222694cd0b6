import type { TemplateDraftRecord, TemplateFault } from '@switchboard/contracts';
import type { DraftRow } from './drafts.queries';

export function toDraftRecord(row: DraftRow, faults: TemplateFault[]): TemplateDraftRecord {
  const { createdAt, updatedAt, submittedAt, ...record } = row;
  return {
    ...record,
    faults,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    submittedAt: submittedAt?.toISOString() ?? null,
  };
}
