import { createDraftV1, getDraftV1, newId, submitDraftV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import type { QueryRunner } from 'typeorm';
import { type RunningTemplates, startTemplates } from './support/start-templates';

describe('template lock order', () => {
  let templates: RunningTemplates;
  let holder: QueryRunner;
  beforeAll(async () => {
    templates = await startTemplates();
  });
  afterAll(() => templates.stop());
  beforeEach(async () => {
    holder = templates.dataSource.createQueryRunner();
    await holder.startTransaction();
    // Shorter than the deadlock detection, so that a deadlock fails here.
    await holder.query("SET LOCAL lock_timeout = '300ms'");
  });
  afterEach(async () => {
    if (holder.isTransactionActive) await holder.rollbackTransaction();
    await holder.release();
    templates.upstream.intercept = () => Promise.resolve(undefined);
    templates.upstream.refuse = () => undefined;
  });

  /** Locks the business first, as the removal of a business does. */
  const holdBusiness = (accountId: string) =>
    holder.query('UPDATE upstream_accounts SET failures = failures WHERE account_id = $1', [accountId]);
  const somebodyWaits = () =>
    eventually(async () =>
      expect(
        await templates.dataSource.query(
          "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
        ),
      ).not.toEqual([]),
    );
  const newDraft = async (accountId: string): Promise<string> => {
    const { draft } = await templates.gateway.request(createDraftV1, {
      accountId,
      name: 'late',
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'It is late' }],
    });
    return draft.id;
  };
  const stateOf = async (accountId: string, draftId: string) =>
    (await templates.gateway.request(getDraftV1, { accountId, draftId })).draft.state;
  const lockDraft = (draftId: string) =>
    holder.query('UPDATE template_drafts SET updated_at = now() WHERE id = $1 RETURNING id', [draftId]);

  it('does not deadlock when a draft is submitted', async () => {
    const accountId = await templates.addAccount(`waba-${newId('acc')}`);
    const draftId = await newDraft(accountId);
    await holdBusiness(accountId);
    const submitted = templates.gateway.request(submitDraftV1, { accountId, draftId });
    await somebodyWaits();
    await lockDraft(draftId);
    await holder.commitTransaction();
    expect((await submitted).draft.state).toBe('submitting');
  });

  it('does not deadlock after the platform accepts a draft', async () => {
    const accountId = await templates.addAccount(`waba-${newId('acc')}`);
    const draftId = await newDraft(accountId);
    let release = (): void => undefined;
    const answer = new Promise<void>((resolve) => (release = resolve));
    let isTaken = false;
    templates.upstream.intercept = async ({ method }) => {
      if (method !== 'POST') return undefined;
      isTaken = true;
      await answer;
      return undefined;
    };
    await templates.gateway.request(submitDraftV1, { accountId, draftId });
    await eventually(() => expect(isTaken).toBe(true));
    await holdBusiness(accountId);
    release();
    await somebodyWaits();
    await lockDraft(draftId);
    await holder.commitTransaction();
    await eventually(async () => expect(await stateOf(accountId, draftId)).toBe('submitted'));
  });

  it('does not deadlock when two accounts of one business are throttled', async () => {
    const wabaId = `waba-${newId('acc')}`;
    const accounts = [await templates.addAccount(wabaId), await templates.addAccount(wabaId)].toSorted();
    const [first = '', second = ''] = accounts;
    await holdBusiness(first);
    templates.upstream.refuse = () => ({ status: 400, body: { error: { message: 'too many calls', code: 80007 } } });
    await templates.dataSource.query('UPDATE upstream_accounts SET next_sync_at = now() WHERE account_id = $1', [
      second,
    ]);
    await somebodyWaits();
    await holdBusiness(second);
    await holder.commitTransaction();
    await eventually(async () =>
      expect(
        (
          await templates.dataSource.query(
            'SELECT account_id FROM upstream_accounts WHERE waba_id = $1 AND rest_until > now()',
            [wabaId],
          )
        ).length,
      ).toBe(2),
    );
  });
});
