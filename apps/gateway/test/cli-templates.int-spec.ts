import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AppError,
  createDraftV1,
  deleteDraftV1,
  deleteTemplateV1,
  editTemplateV1,
  getDraftV1,
  getSyncV1,
  requestSyncV1,
  searchTemplatesV1,
  submitDraftV1,
  templateSamples,
  updateDraftV1,
} from '@switchboard/contracts';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { type OperatorUnderTest, operatorOn } from './support/operator';

const { draft, template, sync } = templateSamples;
const given = { name: draft.name, language: draft.language, category: draft.category, components: draft.components };

describe('operator template commands', () => {
  let gateway: GatewayUnderTest;
  let operator: OperatorUnderTest;
  let accountId: string;
  let folder: string;

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['templates'] });
    operator = operatorOn(gateway);
    ({ accountId = '' } = await operator.json('accounts', 'create', '--name', 'Shop', '--plan', 'growth'));
    folder = await mkdtemp(join(tmpdir(), 'templates-'));
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await gateway.close();
  });

  const templates = <T = Record<string, unknown>>(verb: string, ...args: string[]): Promise<T> =>
    operator.json<T>('templates', verb, '--account', accountId, ...args);
  const audit = async (): Promise<string[]> => {
    const entries = await gateway.database.dataSource.query<{ entry: string }[]>(
      `SELECT action || ' ' || target AS entry FROM audit_log WHERE actor = 'cli:tester' AND account_id = $1 AND action LIKE 'template%' ORDER BY id COLLATE "C"`,
      [accountId],
    );
    return entries.map(({ entry }) => entry);
  };
  const fileOf = async (content: unknown): Promise<string> => {
    const file = join(folder, 'template.json');
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };

  it('list and show templates', async () => {
    const { templates: rows, nextCursor } = await templates<{ templates: object[]; nextCursor: string | null }>(
      'list',
      '--status',
      'REJECTED',
      '--name',
      'order',
      '--language',
      'en-US',
      '--limit',
      '2',
    );
    const { id, name, language, category, status, upstreamStatus, reason } = template;
    expect([rows, nextCursor]).toEqual([[{ id, name, language, category, status, upstreamStatus, reason }], null]);
    expect(gateway.fakes.of(searchTemplatesV1)).toEqual([
      { accountId, status: 'REJECTED', name: 'order', language: 'en-US', limit: 2 },
    ]);
    expect(await templates('show', '--template', id)).toMatchObject({
      id,
      recommendation: template.recommendation,
      events: [templateSamples.event],
    });
  });

  it('submit a template from a file and wait for its review', async () => {
    let looks = 0;
    gateway.fakes.answer(getDraftV1, () => ({
      draft: { ...draft, state: (looks += 1) < 2 ? 'submitting' : 'submitted', templateId: template.id },
    }));
    expect(await templates('submit', '--file', await fileOf(given))).toMatchObject({
      draftId: draft.id,
      templateId: template.id,
      state: 'submitted',
      problem: null,
    });
    expect(gateway.fakes.of(createDraftV1)).toEqual([{ accountId, ...given }]);
    expect(gateway.fakes.of(submitDraftV1)).toEqual([{ accountId, draftId: draft.id }]);
    expect(await audit()).toEqual([`template-draft.create ${accountId}`, `template.submit ${draft.id}`]);
  });

  it('submit a change to a template', async () => {
    gateway.fakes.answer(getDraftV1, () => ({ draft: { ...draft, state: 'submitted', templateId: template.id } }));
    const before = (await audit()).length;
    const components = [{ type: 'BODY', text: 'Your order waits for you in the shop.' }];
    const file = await fileOf({ components });
    expect(await templates('submit', '--template', template.id, '--file', file)).toMatchObject({
      draftId: draft.id,
      templateId: template.id,
      state: 'submitted',
    });
    expect(gateway.fakes.of(editTemplateV1)).toEqual([{ accountId, templateId: template.id }]);
    expect(gateway.fakes.of(updateDraftV1)).toEqual([{ accountId, draftId: draft.id, components }]);
    expect(gateway.fakes.of(submitDraftV1)).toEqual([{ accountId, draftId: draft.id }]);
    expect(gateway.fakes.of(createDraftV1)).toEqual([]);
    expect((await audit()).slice(before)).toEqual([
      `template.edit ${template.id}`,
      `template-draft.change ${draft.id}`,
      `template.submit ${draft.id}`,
    ]);
  });

  it('exit with 1 if the platform rejects a template', async () => {
    const problem = 'the name is taken';
    gateway.fakes.answer(getDraftV1, () => ({ draft: { ...draft, state: 'refused', problem } }));
    const { code, out, err } = await operator.run([
      'templates',
      'submit',
      '--account',
      accountId,
      '--file',
      await fileOf(given),
    ]);
    expect([code, out, err]).toEqual([
      1,
      expect.stringContaining(problem),
      expect.stringContaining('the upstream platform refused it'),
    ]);
  });

  it('report an invalid file without leaving a draft', async () => {
    gateway.fakes.answer(submitDraftV1, () => {
      throw new AppError('INVALID_VALUE', { message: 'the template cannot be submitted: body.text a text is needed' });
    });
    const refused = await operator.run(['templates', 'submit', '--account', accountId, '--file', await fileOf(given)]);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('body.text a text is needed')]);
    expect(gateway.fakes.of(deleteDraftV1)).toEqual([{ accountId, draftId: draft.id }]);
    for (const [content, reason] of [
      ['{', 'cannot be read as JSON'],
      ['[]', 'must be a JSON object'],
      ['{"name":"a"}', 'is required'],
    ]) {
      const { code, err } = await operator.run([
        'templates',
        'submit',
        '--account',
        accountId,
        '--file',
        await fileOf(content),
      ]);
      expect([code, err]).toEqual([1, expect.stringContaining(reason ?? '')]);
    }
    expect(
      (await operator.run(['templates', 'submit', '--account', accountId, '--file', join(folder, 'none.json')])).code,
    ).toBe(1);
  });

  it('delete a template and sync until complete', async () => {
    expect(await templates('delete', '--template', template.id)).toMatchObject({ templateId: template.id });
    expect(gateway.fakes.of(deleteTemplateV1)).toEqual([{ accountId, templateId: template.id }]);
    let looks = 0;
    gateway.fakes.answer(getSyncV1, () => ({
      businesses: [{ ...sync, state: (looks += 1) < 2 ? 'reading' : 'done', templatesRead: 130 }],
    }));
    const { code, out, err } = await operator.run(['templates', 'sync', '--account', accountId]);
    expect([code, out, err]).toEqual([
      0,
      expect.stringContaining('done'),
      expect.stringMatching(/reading, 1 pages, 130 templates\n.*done, 1 pages/),
    ]);
    expect(gateway.fakes.of(requestSyncV1)).toEqual([{ accountId }]);
    expect((await audit()).slice(-2)).toEqual([`template.delete ${template.id}`, `template.sync ${accountId}`]);
  });

  it('exit with 1 if a sync fails', async () => {
    let looks = 0;
    const problem = 'the access token was revoked';
    gateway.fakes.answer(getSyncV1, () => ({
      businesses: [{ ...sync, state: (looks += 1) < 4 ? 'reading' : 'failed', problem }],
    }));
    const { code, out, err } = await operator.run(['templates', 'sync', '--account', accountId]);
    expect([code, out]).toEqual([1, expect.stringContaining(problem)]);
    expect(err.split('\n').map((line) => line.replace(/, .* templates$/, ''))).toEqual([
      `${sync.wabaId}: reading`,
      `${sync.wabaId}: failed`,
      `error: these businesses could not be read: ${sync.wabaId} (UPSTREAM_ERROR)`,
      '',
    ]);
  });
});
