import {
  AppError,
  type AudienceMember,
  type CreateAudienceJobCommand,
  createAudienceJobV1,
  estimateAudienceJobV1,
  type JobAudience,
  newId,
} from '@switchboard/contracts';
import { becomes, jobOf, phonesOf, type RunningJobs, startJobs, TEMPLATE } from './support/start-jobs';

/** Terminates the sessions that have written in an open transaction, as if the process had been killed. */
const KILL_TRANSACTIONS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xid IS NOT NULL`;

describe('jobs from contacts', () => {
  let jobs: RunningJobs;

  beforeAll(async () => {
    jobs = await startJobs();
  });
  beforeEach(() => {
    const { messaging } = jobs;
    messaging.audience = membersOf(3);
    messaging.audiencePages.length = 0;
    messaging.beforeAudiencePage = undefined;
    messaging.bodyVariables = [];
  });
  afterAll(() => jobs.stop());

  const membersOf = (count: number): AudienceMember[] =>
    phonesOf(count).map((recipient, index) => ({ recipient, name: `Contact ${index}` }));
  const commandOf = (
    audience: Partial<JobAudience> = {},
    more: Partial<CreateAudienceJobCommand> = {},
  ): CreateAudienceJobCommand => ({
    accountId: newId('acc'),
    jobId: newId('job'),
    message: TEMPLATE,
    hold: true,
    audience: { maxRecipients: 100_000, ...audience },
    ...more,
  });
  const create = (command: CreateAudienceJobCommand) => jobs.gateway.request(createAudienceJobV1, command);
  const rowsOf = ({
    accountId,
    jobId,
  }: {
    accountId: string;
    jobId: string;
  }): Promise<{ phone: string; components: unknown }[]> =>
    jobs.dataSource.query(
      'SELECT phone, components FROM recipients WHERE account_id = $1 AND job_id = $2 ORDER BY position',
      [accountId, jobId],
    );
  const textsOf = (...texts: string[]): object[] => [
    { type: 'body', parameters: texts.map((text) => ({ type: 'text', text })) },
  ];
  const withValues = (...values: string[]) =>
    ({
      ...TEMPLATE,
      template: {
        ...TEMPLATE.template,
        variables: Object.fromEntries(values.map((value, at) => [String(at + 1), value])),
      },
    }) as CreateAudienceJobCommand['message'];

  it('have all contacts of the audience, and pass on its filters', async () => {
    const filters = { labelId: newId('lbl'), optedIn: true, wroteSince: '2026-11-01T00:00:00.000Z' };
    const command = commandOf(filters);
    expect(await create(command)).toMatchObject({
      status: 'paused',
      total: 3,
      accepted: 3,
      rejected: 0,
      duplicates: 0,
    });
    expect((await rowsOf(command)).map(({ phone }) => phone)).toEqual(phonesOf(3));
    expect(jobs.messaging.audiencePages).toEqual([{ accountId: command.accountId, audience: filters, limit: 1_000 }]);
  });

  it('send to each contact once without hold', async () => {
    const command = commandOf({}, { hold: false });
    await create(command);
    await becomes(jobs, command, { status: 'completed', accepted: 3 });
    const sent = jobs.messaging.sent.filter(({ jobId }) => jobId === command.jobId);
    expect(sent.map(({ to }) => to).sort()).toEqual(phonesOf(3));
  });

  it('fill variables with names, and use the values of the template without a name', async () => {
    jobs.messaging.bodyVariables = ['1', '2'];
    jobs.messaging.audience = [...membersOf(1), { recipient: '919899999999', name: null }];
    const command = commandOf({ nameVariables: ['1'] }, { message: withValues('customer', 'Monday') });
    expect(await create(command)).toMatchObject({ accepted: 2, rejected: 0 });
    expect((await rowsOf(command)).map(({ components }) => components)).toEqual([textsOf('Contact 0', 'Monday'), null]);
  });

  it('reject contacts without a name if the template has no value', async () => {
    jobs.messaging.bodyVariables = ['1'];
    jobs.messaging.audience = [...membersOf(1), { recipient: '919899999999', name: ' ' }];
    expect(await create(commandOf({ nameVariables: ['1'] }))).toMatchObject({
      accepted: 1,
      rejected: 1,
      errors: [{ index: 1, code: 'TEMPLATE_PARAMS_MISMATCH' }],
    });
  });

  it('fill variables with names beside a list of values', async () => {
    jobs.messaging.bodyVariables = ['1', '2'];
    const message = { ...TEMPLATE, template: { ...TEMPLATE.template, variables: ['customer', 'Monday'] } };
    const command = commandOf({ nameVariables: ['1'] }, { message } as Partial<CreateAudienceJobCommand>);
    jobs.messaging.audience = membersOf(1);
    expect(await create(command)).toMatchObject({ accepted: 1, rejected: 0 });
    expect((await rowsOf(command)).map(({ components }) => components)).toEqual([textsOf('Contact 0', 'Monday')]);
  });

  it('are not created with names of unknown variables, or beside components', async () => {
    jobs.messaging.bodyVariables = ['1'];
    const unknown = commandOf({ nameVariables: ['first_name'] }, { message: withValues('customer') });
    await expect(create(unknown)).rejects.toMatchObject({ code: 'TEMPLATE_PARAMS_MISMATCH' });
    const message = { ...TEMPLATE, template: { ...TEMPLATE.template, components: textsOf('customer') } };
    const beside = commandOf({ nameVariables: ['1'] }, { message } as Partial<CreateAudienceJobCommand>);
    await expect(create(beside)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    expect(jobs.messaging.audiencePages).toEqual([]);
    await expect(jobOf(jobs, unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('read page after page', async () => {
    jobs.messaging.audience = membersOf(2_500);
    const command = commandOf();
    expect(await create(command)).toMatchObject({ total: 2_500, accepted: 2_500 });
    expect(jobs.messaging.audiencePages.map(({ after }) => after)).toEqual([undefined, '1000', '2000']);
    expect((await rowsOf(command)).map(({ phone }) => phone)).toEqual(phonesOf(2_500));
  });

  it('are not created above the limit of the plan', async () => {
    jobs.messaging.audience = membersOf(2_500);
    const command = commandOf({ maxRecipients: 1_500 });
    await expect(create(command)).rejects.toMatchObject({ code: 'BULK_LIMIT_EXCEEDED' });
    await expect(jobOf(jobs, command)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(jobs.messaging.audiencePages).toHaveLength(2);
    jobs.messaging.audience = membersOf(1_500);
    expect(await create(command)).toMatchObject({ accepted: 1_500 });
  });

  it('are created once, even if other contacts match by then', async () => {
    const command = commandOf();
    const first = await create(command);
    jobs.messaging.audience = membersOf(5);
    expect(await create(command)).toEqual(first);
    expect(jobs.messaging.audiencePages).toHaveLength(1);
    expect(await rowsOf(command)).toHaveLength(3);
  });

  it('leave nothing behind if a page cannot be read', async () => {
    jobs.messaging.audience = membersOf(2_500);
    jobs.messaging.beforeAudiencePage = ({ after }) => {
      if (after === '1000') throw new AppError('NOT_FOUND', { message: 'no such label' });
    };
    const command = commandOf();
    await expect(create(command)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await rowsOf(command)).toEqual([]);
    jobs.messaging.beforeAudiencePage = undefined;
    expect(await create(command)).toMatchObject({ accepted: 2_500 });
  });

  it('leave nothing behind if the session dies while pages are read', async () => {
    jobs.messaging.audience = membersOf(2_500);
    let kills = 0;
    jobs.messaging.beforeAudiencePage = async ({ after }) => {
      if (after === '2000') kills += ((await jobs.dataSource.query(KILL_TRANSACTIONS)) as unknown[]).length;
    };
    const command = commandOf();
    await expect(create(command)).rejects.toBeInstanceOf(AppError);
    expect(kills).toBeGreaterThan(0);
    expect(await rowsOf(command)).toEqual([]);
    jobs.messaging.beforeAudiencePage = undefined;
    expect(await create(command)).toMatchObject({ accepted: 2_500, duplicates: 0 });
    expect(await rowsOf(command)).toHaveLength(2_500);
  });

  it('are not created without a matching contact', async () => {
    jobs.messaging.audience = [];
    const command = commandOf();
    await expect(create(command)).rejects.toMatchObject({ code: 'INVALID_VALUE', message: 'there are no recipients' });
    await expect(jobOf(jobs, command)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are estimated with the values of the first rows, and not created', async () => {
    jobs.messaging.bodyVariables = ['1'];
    const { jobId, hold: _held, ...command } = commandOf({ nameVariables: ['1'] }, { message: withValues('customer') });
    jobs.messaging.audience = [...membersOf(30), { recipient: '919899999999', name: null }];
    const estimate = await jobs.gateway.request(estimateAudienceJobV1, command);
    expect(estimate).toMatchObject({ dryRun: true, total: 31, accepted: 31, messages: 31 });
    expect(estimate.sampleRows).toHaveLength(20);
    expect(estimate.sampleRows?.[19]).toEqual({ index: 19, phone: phonesOf(20)[19], values: { '1': 'Contact 19' } });
    await expect(jobOf(jobs, { accountId: command.accountId, jobId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const capped = { ...command, audience: { ...command.audience, maxRecipients: 30 } };
    await expect(jobs.gateway.request(estimateAudienceJobV1, capped)).rejects.toMatchObject({
      code: 'BULK_LIMIT_EXCEEDED',
    });
  });
});
