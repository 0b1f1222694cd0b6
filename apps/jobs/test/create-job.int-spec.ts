import {
  AppError,
  type CreatedJob,
  jobsErasePersonV1,
  listRecipientsV1,
  newId,
  stageJobRowsV1,
  createJobV1,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { becomes, create, jobOf, phonesOf, rowsOf, type RunningJobs, startJobs, TEMPLATE } from './support/start-jobs';

let jobs: RunningJobs;

beforeAll(async () => {
  jobs = await startJobs();
});
beforeEach(() => {
  jobs.messaging.refusal = undefined;
  jobs.messaging.bodyVariables = [];
  jobs.messaging.components = undefined;
  jobs.messaging.category = 'UTILITY';
});
afterAll(() => jobs.stop());

const sentOf = ({ jobId }: { jobId: string }): typeof jobs.messaging.sent =>
  jobs.messaging.sent.filter((sent) => sent.jobId === jobId);
const answerOf = ({ jobId: _jobId, ...rest }: CreatedJob & { accountId?: string }): object => ({
  ...rest,
  accountId: undefined,
});

describe('bulk job creation', () => {
  it('accepts valid recipients, reports invalid ones and counts duplicates', async () => {
    const phones = ['919800000001', '12', '919800000002', '919800000001', '+919800000003'];
    const created = await create(jobs, rowsOf(phones));
    expect(answerOf(created)).toEqual({
      status: 'queued',
      total: 5,
      accepted: 2,
      rejected: 2,
      duplicates: 1,
      errors: [
        {
          index: 1,
          phone: '12',
          code: 'INVALID_PHONE',
          message: 'phone number format is invalid: digits only, with country code, without +',
        },
        {
          index: 4,
          phone: '+919800000003',
          code: 'INVALID_PHONE',
          message:
            'phone number format is invalid: digits only, with country code, without +; did you mean 919800000003?',
        },
      ],
    });
    const job = await becomes(jobs, created, {
      status: 'completed',
      total: 5,
      accepted: 2,
      rejected: 2,
      duplicates: 1,
      pending: 0,
    });
    expect(job).toMatchObject({
      type: 'bulk',
      template: 'order_update',
      from: '15550783881',
      pauseReason: null,
      error: null,
      startedAt: expect.any(String),
      completedAt: expect.any(String),
    });
    expect(
      sentOf(created)
        .map(({ to }) => to)
        .sort(),
    ).toEqual(['919800000001', '919800000002']);
    const { recipients, total } = await jobs.gateway.request(listRecipientsV1, {
      accountId: created.accountId,
      jobId: created.jobId,
      page: 1,
      limit: 20,
      status: 'rejected',
    });
    expect([total, recipients.map(({ index, refusal, error }) => [index, refusal?.code, error])]).toEqual([
      2,
      [
        [1, 'INVALID_PHONE', null],
        [4, 'INVALID_PHONE', null],
      ],
    ]);
  });

  it('sends once per contact, whether given by number or user id', async () => {
    const [known, hidden, stranger] = ['IN.10000000000000000001', 'IN.10000000000000000002', 'IN.10000000000000000003'];
    const parent = 'IN.ENT.20000000000000000002';
    jobs.messaging.keysOfUsers.set(known, '551187654321').set(hidden, hidden).set(parent, hidden);
    const given = [known, '5511987654321', hidden, parent, stranger, stranger, 'IN.', '919800000001'];
    const created = await create(jobs, rowsOf(given));
    expect(created).toMatchObject({ total: 8, accepted: 4, rejected: 1, duplicates: 3 });
    expect(created.errors).toMatchObject([{ index: 6, phone: 'IN.', code: 'INVALID_PHONE' }]);
    await becomes(jobs, created, { status: 'completed', accepted: 4 });
    expect(sentOf(created).map(({ to }) => to)).toEqual([known, hidden, stranger, '919800000001']);
    const wanted = { accountId: created.accountId, jobId: created.jobId, page: 1, limit: 20 };
    const { recipients } = await jobs.gateway.request(listRecipientsV1, { ...wanted, phone: hidden });
    expect(recipients).toMatchObject([{ index: 2, phone: hidden, status: 'accepted' }]);
    const erase = { accountId: created.accountId, phones: [hidden], dryRun: false };
    expect(await jobs.gateway.request(jobsErasePersonV1, erase)).toMatchObject({ recipients: 1, done: true });
    expect((await jobs.gateway.request(listRecipientsV1, { ...wanted, phone: hidden })).recipients).toEqual([]);
  });

  it('accepts a full batch of user ids of maximum length', async () => {
    const userIds = Array.from({ length: 1_000 }, (_, index) => `IN.ENT.${String(index).padStart(128, '0')}`);
    expect(await create(jobs, rowsOf(userIds))).toMatchObject({ accepted: 1_000, duplicates: 0 });
  });

  it('rejects only the user ids for an authentication template', async () => {
    jobs.messaging.category = 'AUTHENTICATION';
    const created = await create(jobs, rowsOf(['IN.10000000000000000001', '919800000001']));
    expect(created).toMatchObject({
      accepted: 1,
      errors: [{ index: 0, phone: 'IN.10000000000000000001', code: 'PHONE_REQUIRED' }],
    });
  });

  it('sends once per number, in the first submitted format', async () => {
    const [mexico, argentina, brazil] = ['5215512345678', '541123456789', '5511987654321'];
    const created = await create(
      jobs,
      rowsOf([mexico, '525512345678', '5491123456789', argentina, brazil, '551187654321', brazil]),
    );
    expect(created).toMatchObject({ total: 7, accepted: 3, rejected: 0, duplicates: 4 });
    await becomes(jobs, created, { status: 'completed', accepted: 3, duplicates: 4 });
    expect(sentOf(created).map(({ to }) => to)).toEqual([mexico, '5491123456789', brazil]);
    const { recipients } = await jobs.gateway.request(listRecipientsV1, {
      accountId: created.accountId,
      jobId: created.jobId,
      page: 1,
      limit: 20,
    });
    expect(recipients.map(({ index, phone }) => [index, phone])).toEqual([
      [0, mexico],
      [2, '5491123456789'],
      [4, brazil],
    ]);
  });

  it('rejects a job without valid recipients and stores nothing', async () => {
    const ids = { accountId: newId('acc'), jobId: newId('job') };
    await expect(create(jobs, rowsOf(['12', 'x']), ids)).rejects.toMatchObject({
      code: 'INVALID_PHONE',
      details: [
        { field: 'recipients.0', message: 'phone number format is invalid: digits only, with country code, without +' },
        expect.anything(),
      ],
    });
    await expect(create(jobs, [], ids)).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    await expect(jobOf(jobs, ids)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await query(jobs.dataSource, 'SELECT 1 FROM recipients WHERE job_id = $1', [ids.jobId])).toEqual([]);
  });

  it('rejects a job with the same error as a send', async () => {
    jobs.messaging.refusal = new AppError('TEMPLATE_NOT_APPROVED');
    await expect(create(jobs, rowsOf(phonesOf(1)))).rejects.toMatchObject({ code: 'TEMPLATE_NOT_APPROVED' });
  });

  it('creates a job once for repeated and concurrent requests', async () => {
    const ids = { accountId: newId('acc'), jobId: newId('job') };
    const rows = rowsOf([...phonesOf(30), '12']);
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(jobs, rows, ids)));
    answers.push(await create(jobs, rows, ids));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    await becomes(jobs, ids, { status: 'completed', accepted: 30, rejected: 1 });
    expect(sentOf(ids)).toHaveLength(30);
  });

  it("creates a long list's job once its last part arrives", async () => {
    const ids = { accountId: newId('acc'), jobId: newId('job') };
    const phones = phonesOf(2_500);
    // Repeat a number of another part.
    const rows = rowsOf([...phones, ...phones.slice(0, 1)]);
    for (const part of [1, 0, 0])
      await jobs.gateway.request(stageJobRowsV1, {
        ...ids,
        part,
        rows: rows.slice(part * 1_000, part * 1_000 + 1_000),
      });
    await expect(jobOf(jobs, ids)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(
      jobs.gateway.request(createJobV1, { ...ids, message: TEMPLATE, parts: 3, rows: [] }),
    ).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const created = await jobs.gateway.request(createJobV1, {
      ...ids,
      message: TEMPLATE,
      parts: 2,
      rows: rows.slice(2_000),
    });
    expect(created).toMatchObject({ total: 2_501, accepted: 2_500, duplicates: 1 });
    expect(await query(jobs.dataSource, 'SELECT 1 FROM staged_rows')).toEqual([]);
  });
});

describe('recipient variables', () => {
  it('fill the body by order or name, rejecting only invalid rows', async () => {
    jobs.messaging.bodyVariables = ['1', '2'];
    const header = { type: 'header', parameters: [{ type: 'text' as const, text: 'Ana' }] };
    const message = {
      ...TEMPLATE,
      template: { name: 'order_update', language: { code: 'en_US' }, components: [header] },
    };
    const created = await create(
      jobs,
      [
        { position: 0, phone: '919800000010', variables: ['A', 'B'] },
        { position: 1, phone: '919800000011', variables: { '2': 'D', '1': 'C', other: 'x' }, clientRef: 'order-1' },
        { position: 2, phone: '919800000012', variables: ['A'] },
        { position: 3, phone: '919800000013', variables: ['A', ''] },
        { position: 4, phone: '919800000014', variables: ['A', 5] },
        {
          position: 5,
          phone: '919800000015',
          components: [
            {
              type: 'body',
              parameters: [
                { type: 'text', text: 'E' },
                { type: 'text', text: 'F' },
              ],
            },
          ],
        },
        { position: 6, phone: '919800000016', components: [{ type: 'body', parameters: [] }] },
        { position: 7, phone: '919800000017', components: [{ type: 7 }] },
        { position: 8, phone: '919800000018', variables: ['A', 'two\nlines'] },
      ],
      { message },
    );
    expect(created.errors.map(({ index, code }) => [index, code])).toEqual([
      [2, 'TEMPLATE_PARAMS_MISMATCH'],
      [3, 'TEMPLATE_PARAMS_MISMATCH'],
      [4, 'INVALID_PARAMETER'],
      [6, 'TEMPLATE_PARAMS_MISMATCH'],
      [7, 'INVALID_PARAMETER'],
      [8, 'TEMPLATE_PARAMS_MISMATCH'],
    ]);
    await becomes(jobs, created, { status: 'completed', accepted: 3, rejected: 6 });
    const texts = (...values: string[]): object => ({
      type: 'body',
      parameters: values.map((text) => ({ type: 'text', text })),
    });
    expect(Object.fromEntries(sentOf(created).map(({ to, components }) => [to, components]))).toEqual({
      '919800000010': [header, texts('A', 'B')],
      '919800000011': [header, texts('C', 'D')],
      '919800000015': [texts('E', 'F')],
    });
    expect(sentOf(created).find(({ to }) => to === '919800000011')).toMatchObject({ clientRef: 'order-1' });
  });

  it('reject a job whose components do not match the template', async () => {
    jobs.messaging.bodyVariables = ['1', '2'];
    jobs.messaging.components = [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Order {{1}} comes on {{2}}' },
    ];
    const tooFew = { type: 'body', parameters: [{ type: 'text' as const, text: 'A-17' }] };
    const template = { name: 'order_update', language: { code: 'en_US' }, components: [tooFew] };
    const ids = { accountId: newId('acc'), jobId: newId('job') };
    const link = { 'header link': 'https://example.com/a.png' };
    const rows = [
      { position: 0, phone: '919800000010', variables: { ...link, '1': 'A', '2': 'B' } },
      { position: 1, phone: '919800000011', variables: link },
    ];
    await expect(create(jobs, rows, { ...ids, message: { ...TEMPLATE, template } })).rejects.toMatchObject({
      code: 'TEMPLATE_PARAMS_MISMATCH',
      message: expect.stringContaining('the body expects 2, 1 given') as string,
    });
    await expect(jobOf(jobs, ids)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('cause one check per distinct component', async () => {
    jobs.messaging.bodyVariables = ['1'];
    jobs.messaging.components = [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Order {{1}}' },
    ];
    const link = 'https://example.com/a.png';
    const components = [
      { type: 'header', parameters: [{ type: 'image' as const, image: { link } }] },
      { type: 'body', parameters: [{ type: 'text' as const, text: 'A-17' }] },
    ];
    const template = { name: 'order_update', language: { code: 'en_US' }, components };
    const mixes: Record<string, string>[] = [
      { 'header link': link, '1': 'A' },
      { '1': 'B' },
      { 'header link': link },
      {},
    ];
    const questionsOf = async (given: Record<string, string>[]): Promise<number> => {
      const before = jobs.messaging.checks.length;
      const rows = given.map((variables, position) => ({ position, phone: `9198000000${10 + position}`, variables }));
      await create(jobs, rows, { message: { ...TEMPLATE, template } });
      return jobs.messaging.checks.length - before;
    };
    const ofOne = await questionsOf(mixes.slice(0, 1));
    expect(await questionsOf([...mixes, ...mixes, ...mixes])).toBe(ofOne + components.length);
  });

  it("fill header and buttons along with the job's shared variables", async () => {
    jobs.messaging.bodyVariables = ['1'];
    jobs.messaging.components = [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Order {{1}}' },
      { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE' }] },
    ];
    const link = 'https://example.com/a.png';
    const shared = { name: 'order_update', language: { code: 'en_US' }, variables: { 'header link': link } };
    const created = await create(
      jobs,
      [
        { position: 0, phone: '919800000010', variables: { '1': 'A', 'button 1': 'SAVE10' } },
        {
          position: 1,
          phone: '919800000011',
          variables: { '1': 'B', 'button 1': 'SAVE20', 'header link': `${link}?2` },
        },
        { position: 2, phone: '919800000012', variables: { '1': 'C' } },
        {
          position: 3,
          phone: '919800000013',
          variables: { '1': 'D', 'button 1': 'x', 'header link': 'https://10.0.0.1' },
        },
      ],
      { message: { ...TEMPLATE, template: shared } },
    );
    expect(created.errors.map(({ index, code, message }) => [index, code, message])).toEqual([
      [2, 'TEMPLATE_PARAMS_MISMATCH', 'template parameters do not match the template: variable button 1 is missing'],
      [3, 'INVALID_LINK', 'variable header link must be an https URL with a public host'],
    ]);
    await becomes(jobs, created, { status: 'completed', accepted: 2, rejected: 2 });
    const componentsOf = (address: string, order: string, code: string): object[] => [
      { type: 'header', parameters: [{ type: 'image', image: { link: address } }] },
      { type: 'body', parameters: [{ type: 'text', text: order }] },
      { type: 'button', sub_type: 'copy_code', index: '0', parameters: [{ type: 'coupon_code', coupon_code: code }] },
    ];
    expect(Object.fromEntries(sentOf(created).map(({ to, components }) => [to, components]))).toEqual({
      '919800000010': componentsOf(link, 'A', 'SAVE10'),
      '919800000011': componentsOf(`${link}?2`, 'B', 'SAVE20'),
    });
    const wrong = { ...TEMPLATE, template: { ...shared, variables: { colour: 'red' } } };
    await expect(create(jobs, rowsOf(phonesOf(2)), { message: wrong })).rejects.toMatchObject({
      code: 'TEMPLATE_PARAMS_MISMATCH',
    });
    jobs.messaging.components = undefined;
  });

  it('reject a recipient without variables if others have them', async () => {
    jobs.messaging.bodyVariables = ['1'];
    const rows = [
      { position: 0, phone: '919800000010' },
      { position: 1, phone: '919800000011', variables: { '1': 'A' } },
    ];
    const created = await create(jobs, rows);
    expect(created).toMatchObject({ accepted: 1, rejected: 1 });
    expect(created.errors.map(({ index, code, message }) => [index, code, message])).toEqual([
      [0, 'TEMPLATE_PARAMS_MISMATCH', expect.stringMatching(/; this recipient gives no variables of its own$/)],
    ]);
    await becomes(jobs, created, { status: 'completed', accepted: 1, rejected: 1 });
    expect(sentOf(created).map(({ to }) => to)).toEqual(['919800000011']);
  });

  it('reject the job if no recipient has variables', async () => {
    jobs.messaging.bodyVariables = ['1'];
    await expect(create(jobs, rowsOf(phonesOf(2)))).rejects.toMatchObject({ code: 'TEMPLATE_PARAMS_MISMATCH' });
  });

  it('require a template', async () => {
    const message = { type: 'text' as const, text: { body: 'Hello' } };
    const created = await create(
      jobs,
      [
        { position: 0, phone: '919800000010' },
        { position: 1, phone: '919800000011', variables: ['A'] },
      ],
      { message },
    );
    expect(created).toMatchObject({ accepted: 1, errors: [{ index: 1, code: 'INVALID_PARAMETER' }] });
    expect((await becomes(jobs, created, { status: 'completed' })).template).toBeNull();
  });
});
