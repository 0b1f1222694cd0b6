import { Injectable } from '@nestjs/common';
import {
  AppError,
  type CreateDraftCommand,
  type EditTemplateCommand,
  type ListDraftsCommand,
  type ListDraftsReply,
  newId,
  notFound,
  type TemplateDraftRecord,
  type TemplateFault,
  type UpdateDraftCommand,
} from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { HeaderSamples } from '../header-samples/header-samples.service';
import { findManaged, findManagedByName } from '../templates/managed.queries';
import { contentFaults, toDraftContent } from '@switchboard/template-rules';
import { editFaults, faulty, invalid, nameFaults, requireOpen } from './draft-refusals';
import {
  beginSubmission,
  deleteDraft,
  type DraftRow,
  findDraft,
  findOpenDraft,
  holdBusinesses,
  insertDraft,
  listBusinesses,
  listDrafts,
  lockDraft,
  updateDraft,
} from './drafts.queries';
import { editableComponents } from './editable-components';
import { SubmissionLoop } from './submission.service';

function toDraftRecord(row: DraftRow, faults: TemplateFault[]): TemplateDraftRecord {
  const { createdAt, updatedAt, submittedAt, ...record } = row;
  return {
    ...record,
    faults,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    submittedAt: submittedAt?.toISOString() ?? null,
  };
}

const UNIQUE_VIOLATION = '23505';

/** Manages drafts of templates until they are submitted to the upstream platform. */
@Injectable()
export class DraftsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly submissions: SubmissionLoop,
    private readonly samples: HeaderSamples,
  ) {}

  /**
   * Creates a draft of a new template.
   * @throws AppError INVALID_VALUE if a draft with this name and language exists, or if the business is ambiguous
   */
  createDraft({ accountId, wabaId, ...given }: CreateDraftCommand): Promise<TemplateDraftRecord> {
    const content = toDraftContent(given);
    return this.transactions.run(async (tx) => {
      const business = requireBusiness(await listBusinesses(tx, accountId), wabaId);
      const draft = await insertDraft(tx, {
        ...content,
        accountId,
        id: newId('tpl'),
        wabaId: business,
        kind: 'create',
        templateId: null,
      });
      if (!draft) throw doubled();
      return toDraftRecord(draft, contentFaults(draft));
    });
  }

  /**
   * Creates a draft with the template's current content, or returns the open draft.
   * @throws AppError NOT_FOUND
   */
  editTemplate({ accountId, templateId }: EditTemplateCommand): Promise<TemplateDraftRecord> {
    return this.transactions.run(async (tx) => {
      const template = await findManaged(tx, accountId, templateId);
      if (!template) throw notFound('template');
      const { wabaId, name, language, category } = template;
      const content = {
        name,
        language,
        category,
        components: editableComponents(category, template.components),
        ttlSeconds: null,
      };
      const inserted = await insertDraft(tx, {
        ...content,
        accountId,
        id: newId('tpl'),
        wabaId,
        kind: 'edit',
        templateId,
      });
      const draft = inserted ?? (await findOpenDraft(tx, { accountId, wabaId, name, language }));
      if (!draft) throw new Error('the open draft of the template vanished');
      if (draft.templateId !== templateId) throw doubled();
      return toDraftRecord(draft, contentFaults(draft));
    });
  }

  /**
   * Changes the given properties.
   * @throws AppError NOT_FOUND, INVALID_VALUE
   */
  updateDraft({ accountId, draftId, ...change }: UpdateDraftCommand): Promise<TemplateDraftRecord> {
    return this.transactions.run(async (tx) => {
      const draft = await requireDraft(tx, accountId, draftId);
      requireOpen(draft);
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const content = toDraftContent({ ...draft, ...given });
      const isRenamed = content.name !== draft.name || content.language !== draft.language;
      if (isRenamed && draft.kind === 'edit') throw invalid('name', 'name and language of a template cannot be edited');
      const updated = (await updateDraft(tx, accountId, draftId, content).catch(refuseDoubled)) ?? draft;
      return toDraftRecord(updated, contentFaults(updated));
    });
  }

  /** @throws AppError NOT_FOUND */
  async getDraft(accountId: string, draftId: string): Promise<TemplateDraftRecord> {
    const draft = await findDraft(this.dataSource, accountId, draftId);
    if (!draft) throw notFound('draft');
    return toDraftRecord(draft, contentFaults(draft));
  }

  /** Lists drafts, newest first. */
  async listDrafts({ accountId, limit, cursor, state }: ListDraftsCommand): Promise<ListDraftsReply> {
    const rows = await listDrafts(this.dataSource, { accountId, limit: limit + 1, state, before: cursor });
    const drafts = rows.slice(0, limit).map((row) => toDraftRecord(row, contentFaults(row)));
    return { drafts, nextCursor: rows.length > limit ? (drafts.at(-1)?.id ?? null) : null };
  }

  /** @throws AppError NOT_FOUND; INVALID_VALUE while it is being submitted */
  deleteDraft(accountId: string, draftId: string): Promise<TemplateDraftRecord> {
    return this.transactions.run(async (tx) => {
      const draft = await requireDraft(tx, accountId, draftId);
      if (draft.state === 'submitting') requireOpen(draft);
      await deleteDraft(tx, accountId, draftId);
      return toDraftRecord(draft, contentFaults(draft));
    });
  }

  /**
   * Submits the draft in the background. Does nothing if it is already being submitted.
   * @throws AppError NOT_FOUND; INVALID_VALUE that lists every fault
   */
  async submitDraft(accountId: string, draftId: string): Promise<TemplateDraftRecord> {
    const record = await this.transactions.run(async (tx) => {
      // Lock the businesses before the draft, in the order of leaving a business.
      const businesses = await holdBusinesses(tx, accountId);
      const draft = await requireDraft(tx, accountId, draftId);
      if (draft.state === 'submitting') return toDraftRecord(draft, []);
      requireOpen(draft);
      requireBusiness(businesses, draft.wabaId);
      const faults = [
        ...contentFaults(draft),
        ...(await this.samples.faultsOf(tx, accountId, draft.components)),
        ...(await this.upstreamFaults(tx, accountId, draft)),
      ];
      if (faults.length > 0) throw faulty(faults);
      return toDraftRecord((await beginSubmission(tx, accountId, draftId)) ?? draft, []);
    });
    this.submissions.wakeup.wake();
    return record;
  }

  private async upstreamFaults(tx: Transaction, accountId: string, draft: DraftRow): Promise<TemplateFault[]> {
    if (draft.templateId !== null) return editFaults(await findManaged(tx, accountId, draft.templateId), draft);
    return nameFaults(await findManagedByName(tx, { ...draft, accountId }));
  }
}

async function requireDraft(tx: Transaction, accountId: string, draftId: string): Promise<DraftRow> {
  const draft = await lockDraft(tx, accountId, draftId);
  if (!draft) throw notFound('draft');
  return draft;
}

/** @throws AppError INVALID_VALUE; MISSING_FIELD when there are several businesses and none is named */
function requireBusiness(businesses: string[], wanted: string | undefined): string {
  const [first, second] = businesses;
  if (first === undefined)
    throw invalid('wabaId', 'the account has no business number yet: templates belong to the business of a number');
  if (wanted !== undefined && !businesses.includes(wanted))
    throw invalid('wabaId', 'the account has no number of this business');
  if (wanted === undefined && second !== undefined)
    throw new AppError('MISSING_FIELD', {
      message: `wabaId is required: ${businesses.join(' or ')}`,
      details: [{ field: 'wabaId', message: 'wabaId is required' }],
    });
  return wanted ?? first;
}

/**
 * Converts a violation of the unique index on draft names. The index also detects uncommitted drafts, which the earlier
 * check cannot see.
 */
function refuseDoubled(error: unknown): never {
  throw error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION ? doubled() : error;
}

function doubled(): AppError {
  return invalid('name', 'there is a draft of this name and language already');
}
