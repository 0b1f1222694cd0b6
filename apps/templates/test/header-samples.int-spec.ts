import {
  addHeaderSampleV1,
  countHeaderSamplesV1,
  createDraftV1,
  deleteDraftV1,
  editTemplateV1,
  getDraftV1,
  getHeaderSampleV1,
  headerSampleKey,
  type HeaderSampleType,
  newId,
  showTemplateV1,
  submitDraftV1,
  type TemplateDraftRecord,
  updateDraftV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type RunningTemplates, startTemplates } from './support/start-templates';
import { refusal } from './support/upstream';

let templates: RunningTemplates;
beforeAll(async () => {
  templates = await startTemplates({ replicas: 2 });
});
afterAll(() => templates.stop());
afterEach(() => {
  templates.upstream.intercept = () => Promise.resolve(undefined);
  templates.upstream.refuse = () => undefined;
});

const DAY_MS = 24 * 3_600_000;
const FIELD = 'header.example.header_handle';
const bytes = Buffer.alloc(200_000, 'a picture');
const ask: RunningTemplates['gateway']['request'] = (command, request) => templates.gateway.request(command, request);

/** Stores and registers a file as the gateway does. */
async function addSample(accountId: string, mimeType: HeaderSampleType = 'image/png'): Promise<string> {
  const sampleId = newId('med');
  await store(accountId, sampleId);
  const { sample } = await ask(addHeaderSampleV1, { accountId, sampleId, mimeType, bytes: bytes.length });
  expect(sample).toMatchObject({ id: sampleId, mimeType, bytes: bytes.length, filename: null });
  return sampleId;
}

const store = (accountId: string, sampleId: string) =>
  templates.blobs.put(
    headerSampleKey(accountId, sampleId),
    (async function* () {
      yield bytes;
    })(),
  );

const withSample = (sample: string, format = 'IMAGE') => [
  { type: 'HEADER', format, example: { header_handle: [sample] } },
  { type: 'BODY', text: 'Your order is ready to be fetched.' },
];
const create = async (accountId: string, name: string, components: object[]) =>
  (await ask(createDraftV1, { accountId, name, language: 'en_US', category: 'UTILITY', components })).draft;
const submit = (accountId: string, draftId: string) => ask(submitDraftV1, { accountId, draftId });
const faultsOf = (accountId: string, draftId: string) =>
  submit(accountId, draftId).then(
    () => [],
    (error: { details?: object[] }) => error.details,
  );
/**
 * @param tries maximum number of attempts, for tests in which it matters: an attempt in progress still shows the
 * previous problem
 */
const settled = (
  accountId: string,
  draftId: string,
  state: string,
  { tries = 1_000 } = {},
): Promise<TemplateDraftRecord> =>
  eventually(async () => {
    // Makes the submission due again.
    await templates.dataSource.query(
      `UPDATE template_drafts SET due_at = now()
       WHERE id = $1 AND state = 'submitting' AND problem IS NOT NULL AND attempts < $2`,
      [draftId, tries],
    );
    const { draft } = await ask(getDraftV1, { accountId, draftId });
    expect(draft.state).toBe(state);
    return draft;
  });
const LINK = 'https://scontent.example.com/a.png';
/** Lets the platform list the template as approved, with links in place of handles. */
const list = async (wabaId: string, format?: string): Promise<void> => {
  for (const template of templates.upstream.templates.get(wabaId) ?? []) {
    const [header, ...others] = template.components ?? [];
    const listed = { ...header!, ...(format && { format }), example: { header_handle: [LINK] } };
    Object.assign(template, { status: 'APPROVED', components: [listed, ...others] });
  }
  const before = await templates.dataSource.query<{ n: string }[]>('SELECT now() AS n');
  await templates.callback(wabaId);
  await eventually(async () =>
    expect(
      await templates.dataSource.query(
        'SELECT 1 FROM upstream_accounts WHERE waba_id = $1 AND (last_synced_at IS NULL OR last_synced_at <= $2)',
        [wabaId, before[0]?.n],
      ),
    ).toEqual([]),
  );
};
const handlesOf = async (accountId: string, templateId: string): Promise<unknown> => {
  const { template } = await ask(showTemplateV1, { accountId, templateId });
  return (template.components as { example?: { header_handle?: string[] } }[])[0]?.example?.header_handle;
};
/** Submits a template with the sample and waits until it is approved. Returns its id. */
const approvedWith = async (accountId: string, wabaId: string, sampleId: string): Promise<string> => {
  const draft = await create(accountId, 'approved_sample', withSample(sampleId));
  await submit(accountId, draft.id);
  const { templateId } = await settled(accountId, draft.id, 'submitted');
  await list(wabaId);
  return templateId!;
};
/** Returns whether the row and the file of a sample exist. */
const exists = async (accountId: string, sampleId: string): Promise<[boolean, boolean]> => {
  const row = await ask(getHeaderSampleV1, { accountId, sampleId }).then(
    () => true,
    () => false,
  );
  return [row, (await templates.blobs.stat(headerSampleKey(accountId, sampleId))) !== undefined];
};
const sampleOf = (wabaId: string, at = 0) => {
  const [header] = templates.upstream.templates.get(wabaId)?.[at]?.components ?? [];
  const { header_handle: handles } = (header?.example ?? {}) as { header_handle?: string[] };
  return templates.upstream.samples.get(handles?.[0] ?? '');
};

describe('header sample', () => {
  it('is uploaded with the draft, which keeps the internal id', async () => {
    const accountId = await templates.addAccount('waba-sample');
    const sampleId = await addSample(accountId);
    const draft = await create(accountId, 'with_sample', withSample(sampleId));
    expect(draft.faults).toEqual([]);
    await submit(accountId, draft.id);
    const { components } = await settled(accountId, draft.id, 'submitted');
    expect(components).toEqual(withSample(sampleId));
    expect(sampleOf('waba-sample')?.equals(bytes)).toBe(true);
  });

  it("is uploaded for a carousel's cards, once when shared", async () => {
    const accountId = await templates.addAccount('waba-cards');
    const [first, second] = [await addSample(accountId), await addSample(accountId)];
    const card = (sample: string) => ({
      components: [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: [sample] } },
        { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'More' }] },
      ],
    });
    const cards = [card(first), card(second), card(first)];
    const components = [
      { type: 'BODY', text: 'Look at what is new this week.' },
      { type: 'CAROUSEL', cards },
    ];
    const content = { accountId, name: 'with_cards', language: 'en_US', category: 'MARKETING', components };
    const { draft } = await ask(createDraftV1, content);
    expect(draft.faults).toEqual([]);
    await submit(accountId, draft.id);
    expect((await settled(accountId, draft.id, 'submitted')).components).toEqual(components);
    const landed = templates.upstream.templates.get('waba-cards')?.[0]?.components?.[1]?.['cards'] as typeof cards;
    const handles = landed.map((one) => one.components[0]?.example?.header_handle[0] ?? '');
    expect(handles[0]).toBe(handles[2]);
    expect(new Set(handles).size).toBe(2);
    expect(handles.map((handle) => templates.upstream.samples.get(handle)?.equals(bytes))).toEqual([true, true, true]);
  });

  it('is reported per card, and a GIF requires a video', async () => {
    const accountId = await templates.addAccount('waba-card-faults');
    const video = await addSample(accountId, 'video/mp4');
    const card = { components: [{ type: 'HEADER', format: 'IMAGE', example: { header_handle: [video] } }] };
    const content = { accountId, name: 'card_faults', language: 'en_US', category: 'MARKETING' };
    const body = { type: 'BODY', text: 'Look at what is new this week.' };
    const buttons = { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'More' }] };
    const cards = [card, card].map(({ components }) => ({ components: [...components, buttons] }));
    const { draft } = await ask(createDraftV1, { ...content, components: [body, { type: 'CAROUSEL', cards }] });
    expect(await faultsOf(accountId, draft.id)).toMatchObject([
      { field: `carousel.cards.0.${FIELD}` },
      { field: `carousel.cards.1.${FIELD}` },
    ]);
    await ask(updateDraftV1, { accountId, draftId: draft.id, components: withSample(video, 'GIF') });
    expect(await faultsOf(accountId, draft.id)).toEqual([]);
  });

  it('is reported when missing, inaccessible or of another format', async () => {
    const accountId = await templates.addAccount('waba-no-sample');
    const other = await templates.addAccount('waba-other');
    const draft = await create(accountId, 'no_sample', withSample(newId('med')));
    expect(await faultsOf(accountId, draft.id)).toMatchObject(
      [{ field: FIELD, message: /sample does not exist/ }].map(matching),
    );
    const change = async (components: object[]) => {
      await ask(updateDraftV1, { accountId, draftId: draft.id, components });
      return faultsOf(accountId, draft.id);
    };
    expect(await change(withSample(await addSample(other)))).toMatchObject([{ field: FIELD }]);
    const pdf = await addSample(accountId, 'application/pdf');
    expect(await change(withSample(pdf))).toMatchObject([{ field: FIELD, message: /DOCUMENT/ }].map(matching));
    expect(await change(withSample(pdf, 'DOCUMENT'))).toEqual([]);
    await expect(ask(getHeaderSampleV1, { accountId: other, sampleId: pdf })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is uploaded again after a lost response, without a duplicate template', async () => {
    const accountId = await templates.addAccount('waba-lost');
    const sampleId = await addSample(accountId);
    let creations = 0;
    // The upload succeeds. The connection of the creation breaks before the platform executes it.
    templates.upstream.refuse = ({ path, method }) =>
      method === 'POST' && path.includes('/message_templates') && (creations += 1) === 1
        ? { status: 502, body: {} }
        : undefined;
    const before = templates.upstream.samples.size;
    const draft = await create(accountId, 'lost_sample', withSample(sampleId));
    await submit(accountId, draft.id);
    await settled(accountId, draft.id, 'submitted', { tries: 2 });
    expect(templates.upstream.samples.size).toBe(before + 2);
    expect(templates.upstream.templates.get('waba-lost')).toHaveLength(1);
    expect(sampleOf('waba-lost')?.equals(bytes)).toBe(true);
  });

  it('creates one template when a stalled process is replaced', async () => {
    const accountId = await templates.addAccount('waba-stuck');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let uploads = 0;
    templates.upstream.intercept = async ({ path }) => {
      if (path.includes('/upload:') && (uploads += 1) === 1) await held;
      return undefined;
    };
    const sampleId = await addSample(accountId);
    const draft = await create(accountId, 'stuck_sample', withSample(sampleId));
    await submit(accountId, draft.id);
    await eventually(() => expect(uploads).toBe(1));
    // The lease of the stalled process ends.
    await templates.dataSource.query('UPDATE template_drafts SET due_at = now() WHERE id = $1', [draft.id]);
    const { templateId } = await settled(accountId, draft.id, 'submitted');
    release();
    // The delayed creation reaches the platform, which already has the template.
    await eventually(() =>
      expect(
        templates.upstream.changes().filter((change) => change === 'POST /waba-stuck/message_templates').length,
      ).toBe(2),
    );
    expect(templates.upstream.templates.get('waba-stuck')).toHaveLength(1);
    await list('waba-stuck');
    expect(await handlesOf(accountId, templateId!)).toEqual([sampleId]);
    expect(await settled(accountId, draft.id, 'submitted')).toMatchObject({ templateId, problem: null });
  });

  it('rejects the draft with the upstream reason when it is rejected', async () => {
    const accountId = await templates.addAccount('waba-refused');
    templates.upstream.refuse = ({ path }) =>
      path.includes('/app/uploads') ? refusal(undefined, 'The file is not taken.') : undefined;
    const draft = await create(accountId, 'refused_sample', withSample(await addSample(accountId)));
    await submit(accountId, draft.id);
    expect(await settled(accountId, draft.id, 'refused')).toMatchObject({ problem: 'The file is not taken.' });
    expect(templates.upstream.templates.get('waba-refused') ?? []).toEqual([]);
  });

  it('replaces the link of the approved template until an edit replaces it', async () => {
    const accountId = await templates.addAccount('waba-edit');
    const other = await templates.addAccount('waba-edit');
    const first = await addSample(accountId);
    const templateId = await approvedWith(accountId, 'waba-edit', first);
    expect(await handlesOf(accountId, templateId)).toEqual([first]);
    // The other account of the business did not submit the template.
    expect(await handlesOf(other, templateId)).toEqual([LINK]);
    await expect(ask(getHeaderSampleV1, { accountId: other, sampleId: first })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });

    const change = async (sample: string): Promise<void> => {
      const { draft } = await ask(editTemplateV1, { accountId, templateId });
      expect(draft.faults).toEqual([]);
      const [header] = withSample(sample);
      const components = [header!, { type: 'BODY', text: `Your order waits for you in the shop, ${sample}.` }];
      await ask(updateDraftV1, { accountId, draftId: draft.id, components });
      await submit(accountId, draft.id);
      await settled(accountId, draft.id, 'submitted');
      await list('waba-edit');
    };
    await change(first);
    expect(await handlesOf(accountId, templateId)).toEqual([first]);
    expect(await exists(accountId, first)).toEqual([true, true]);
    const second = await addSample(accountId);
    await change(second);
    expect(await handlesOf(accountId, templateId)).toEqual([second]);
    expect(await exists(accountId, first)).toEqual([false, true]);
  });

  it('gives way to the link when the template got another header elsewhere', async () => {
    const accountId = await templates.addAccount('waba-elsewhere');
    const templateId = await approvedWith(accountId, 'waba-elsewhere', await addSample(accountId));
    await list('waba-elsewhere', 'VIDEO');
    expect(await handlesOf(accountId, templateId)).toEqual([LINK]);
  });

  it('is retained with its template and deleted with it', async () => {
    const accountId = await templates.addAccount('waba-deleted');
    const [sampleId, shared] = [await addSample(accountId), await addSample(accountId)];
    const templateId = await approvedWith(accountId, 'waba-deleted', sampleId);
    await templates.dataSource.query(
      "UPDATE header_samples SET created_at = now() - interval '100 days' WHERE account_id = $1",
      [accountId],
    );
    const draft = await create(accountId, 'other_template', withSample(shared));
    await templates.cleanUpSamples(new Date());
    expect(await exists(accountId, sampleId)).toEqual([true, true]);
    // Retained samples leave their slots to new drafts.
    expect(await ask(countHeaderSamplesV1, { accountId })).toEqual({ samples: 1 });

    templates.upstream.templates.set('waba-deleted', []);
    await templates.callback('waba-deleted');
    await eventually(() =>
      expect(ask(showTemplateV1, { accountId, templateId })).rejects.toMatchObject({ code: 'NOT_FOUND' }),
    );
    expect(await exists(accountId, sampleId)).toEqual([false, true]);
    expect(await exists(accountId, shared)).toEqual([true, true]);
    await templates.cleanUpSamples(new Date(Date.now() + 2 * DAY_MS));
    expect(await exists(accountId, sampleId)).toEqual([false, false]);
    await ask(deleteDraftV1, { accountId, draftId: draft.id });
  });

  it('is deleted when the platform never lists its template', async () => {
    const accountId = await templates.addAccount('waba-never');
    const sampleId = await addSample(accountId);
    const sql =
      'INSERT INTO template_samples (account_id, template_id, card, sample_id, created_at) VALUES ($1, $2, -1, $3, $4)';
    await templates.dataSource.query(sql, [accountId, '77', sampleId, new Date(Date.now() - 8 * DAY_MS)]);
    await templates.cleanUpSamples(new Date());
    expect(await exists(accountId, sampleId)).toEqual([false, true]);
    await templates.cleanUpSamples(new Date(Date.now() + 2 * DAY_MS));
    expect(await exists(accountId, sampleId)).toEqual([false, false]);
  });

  it('is deleted with the oldest templates beyond the quota', async () => {
    const accountId = await templates.addAccount('waba-quota');
    const first = await addSample(accountId);
    const templateId = await approvedWith(accountId, 'waba-quota', first);
    const second = await addSample(accountId);
    await templates.dataSource.query('UPDATE header_samples SET bytes = 1024 * 1024 * 1024 - 1 WHERE id = $1', [first]);
    const draft = await create(accountId, 'quota_next', withSample(second));
    await submit(accountId, draft.id);
    const { templateId: next } = await settled(accountId, draft.id, 'submitted');
    await list('waba-quota');
    await eventually(async () => expect(await handlesOf(accountId, next!)).toEqual([second]));
    expect(await handlesOf(accountId, templateId)).toEqual([LINK]);
    expect(await exists(accountId, first)).toEqual([false, true]);
  });

  it('is limited to 200 per account and registered idempotently', async () => {
    const accountId = await templates.addAccount('waba-full');
    const file = { accountId, mimeType: 'image/png' as const, bytes: bytes.length };
    await templates.dataSource.query(
      `INSERT INTO header_samples (account_id, id, mime_type, bytes)
       SELECT $1, 'med_' || n, 'image/png', 1 FROM generate_series(1, 198) AS n`,
      [accountId],
    );
    // Both concurrent commands fit into the limit.
    const last = [newId('med'), newId('med')];
    await Promise.all(last.map((sampleId) => ask(addHeaderSampleV1, { ...file, sampleId })));
    expect(await ask(countHeaderSamplesV1, { accountId })).toEqual({ samples: 200 });
    expect((await ask(addHeaderSampleV1, { ...file, sampleId: last[1]! })).sample.id).toBe(last[1]);
    await expect(ask(addHeaderSampleV1, { ...file, sampleId: newId('med') })).rejects.toMatchObject({
      code: 'INVALID_VALUE',
      message: expect.stringContaining('200 samples'),
    });
    expect(await ask(countHeaderSamplesV1, { accountId: newId('acc') })).toEqual({ samples: 0 });
  });

  it('is purged when old and unused, or never registered', async () => {
    const accountId = await templates.addAccount('waba-purge');
    const [used, unused, young] = await Promise.all([1, 2, 3].map(() => addSample(accountId)));
    await templates.dataSource.query(
      "UPDATE header_samples SET created_at = now() - interval '8 days' WHERE id = ANY($1)",
      [[used, unused]],
    );
    const draft = await create(accountId, 'purge_sample', withSample(used!));
    const orphan = newId('med');
    await store(accountId, orphan);
    const left = async () => {
      const found = await Promise.all(
        [used, unused, young, orphan].map((id) => templates.blobs.stat(headerSampleKey(accountId, id!))),
      );
      return found.map((file) => file !== undefined);
    };
    await templates.cleanUpSamples(new Date());
    expect(await left()).toEqual([true, false, true, true]);
    await templates.cleanUpSamples(new Date(Date.now() + 2 * DAY_MS));
    expect(await left()).toEqual([true, false, true, false]);
    await ask(deleteDraftV1, { accountId, draftId: draft.id });
    await templates.cleanUpSamples(new Date());
    expect(await left()).toEqual([false, false, true, false]);
  });
});

/** Matches a fault by its field and a regular expression for its message. */
function matching({ field, message }: { field: string; message: RegExp }): object {
  return { field, message: expect.stringMatching(message) };
}
