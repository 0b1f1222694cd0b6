import {
  businessLeftV1,
  createDraftV1,
  getDraftV1,
  getSyncV1,
  listTemplatesV1,
  newId,
  submitDraftV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type RunningTemplates, startTemplates } from './support/start-templates';
import { upstreamTemplate } from './support/upstream';

describe('business account that an account has left', () => {
  let templates: RunningTemplates;
  beforeAll(async () => {
    templates = await startTemplates({ intervalSeconds: 30 });
  });
  afterAll(() => templates.stop());

  const businesses = async (accountId: string) =>
    (await templates.gateway.request(getSyncV1, { accountId })).businesses.map(({ wabaId }) => wabaId);
  const leave = (accountId: string, wabaId: string, leftAt = '2030-01-01T00:00:00.000001+00:00') =>
    templates.gateway.publish(businessLeftV1, { accountId, wabaId, leftAt });
  const row = async (accountId: string) =>
    (await templates.dataSource.query('SELECT * FROM upstream_accounts WHERE account_id = $1', [accountId])) as {
      sealed_access_token: string;
      left_at: Date | null;
      reading_since: Date | null;
    }[];

  it('loses its syncs, token and templates', async () => {
    templates.upstream.templates.set('waba-left', [upstreamTemplate('a'), upstreamTemplate('b')]);
    const [accountId, other] = [await templates.addAccount('waba-left'), await templates.addAccount('waba-left')];
    const { draft } = await templates.gateway.request(createDraftV1, {
      accountId,
      name: 'late',
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'It is late' }],
    });
    await leave(accountId, 'waba-left');
    await eventually(async () => expect(await businesses(accountId)).toEqual([]));
    expect(await row(accountId)).toMatchObject([{ sealed_access_token: '', left_at: expect.any(Date) }]);
    expect((await templates.gateway.request(listTemplatesV1, { accountId })).templates).toEqual([]);
    await eventually(() =>
      expect(templates.contentChanges.filter((change) => change.accountId === accountId).length).toBe(2),
    );
    await expect(templates.gateway.request(submitDraftV1, { accountId, draftId: draft.id })).rejects.toMatchObject({
      code: 'INVALID_VALUE',
      details: [{ field: 'wabaId' }],
    });

    // A callback schedules a sync only for the account that remains.
    const calls = templates.upstream.received.length;
    await templates.callback('waba-left');
    await eventually(() => expect(templates.upstream.received.length).toBeGreaterThan(calls));
    expect(await businesses(other)).toEqual(['waba-left']);
    expect(await row(accountId)).toMatchObject([{ sealed_access_token: '', reading_since: null }]);
  });

  it('returns only with newer credentials, in any event order', async () => {
    templates.upstream.templates.set('waba-back', [upstreamTemplate('a')]);
    const accountId = newId('acc');
    await leave(accountId, 'waba-back', '2030-01-01T00:00:00.000002+00:00');
    await eventually(async () => expect((await row(accountId)).length).toBe(1));
    await templates.announce(accountId, 'waba-back', { storedAt: '2030-01-01T00:00:00.000001+00:00' });
    await templates.announce(accountId, 'waba-other', { storedAt: '2030-01-01T00:00:00.000001+00:00' });
    await eventually(async () => expect(await businesses(accountId)).toEqual(['waba-other']));
    await templates.announce(accountId, 'waba-back', { storedAt: '2030-01-01T00:00:00.000003+00:00' });
    await eventually(async () => expect(await businesses(accountId)).toEqual(['waba-back', 'waba-other']));
    await leave(accountId, 'waba-back', '2030-01-01T00:00:00.000002+00:00');
    await leave(accountId, 'waba-other', '2030-01-01T00:00:00.000002+00:00');
    await eventually(async () => expect(await businesses(accountId)).toEqual(['waba-back']));
  });

  describe('with drafts', () => {
    let accountId: string;
    let draftId: string;
    let wabaId: string;
    beforeEach(async () => {
      wabaId = `waba-${newId('acc')}`;
      templates.upstream.templates.set(wabaId, []);
      accountId = await templates.addAccount(wabaId);
      const { draft } = await templates.gateway.request(createDraftV1, {
        accountId,
        name: 'late',
        language: 'en_US',
        category: 'UTILITY',
        components: [{ type: 'BODY', text: 'It is late' }],
      });
      draftId = draft.id;
    });
    const submit = () => templates.gateway.request(submitDraftV1, { accountId, draftId });
    const draftOf = async () => (await templates.gateway.request(getDraftV1, { accountId, draftId })).draft;
    const refused = {
      state: 'refused',
      problem: expect.stringContaining('no number') as string,
      components: [{ type: 'BODY', text: 'It is late' }],
    };

    it('rejects a draft that is submitted while the business is left', async () => {
      const leaving = templates.dataSource.createQueryRunner();
      await leaving.startTransaction();
      await leaving.query('UPDATE upstream_accounts SET left_at = now() WHERE account_id = $1', [accountId]);
      const submitted = submit().catch((error: unknown) => error);
      await eventually(async () =>
        expect(
          (
            await templates.dataSource.query(
              "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
            )
          ).length,
        ).toBe(1),
      );
      await leaving.commitTransaction();
      await leaving.release();
      expect(await submitted).toMatchObject({ code: 'INVALID_VALUE', details: [{ field: 'wabaId' }] });
      expect(await draftOf()).toMatchObject({ state: 'draft' });
    });

    it('fails a draft stuck in submission and keeps its content', async () => {
      await leave(accountId, wabaId);
      await eventually(async () => expect(await businesses(accountId)).toEqual([]));
      await templates.dataSource.query(
        "UPDATE template_drafts SET state = 'submitting', due_at = now() WHERE id = $1",
        [draftId],
      );
      await templates.refuseForgottenDrafts();
      expect(await draftOf()).toMatchObject(refused);
    });
  });
});
