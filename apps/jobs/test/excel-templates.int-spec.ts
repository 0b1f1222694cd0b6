import { type CreatedJob, listRecipientsV1, newId } from '@switchboard/contracts';
import { workbooks } from '@switchboard/testing';
import { type SheetJobs, startSheetJobs } from './support/sheet-jobs';
import { type RunningJobs, TEMPLATE } from './support/start-jobs';

const { bookOf, inline, row } = workbooks;
const accountId = newId('acc');
let sheets: SheetJobs;
let jobs: RunningJobs;

beforeAll(async () => {
  sheets = await startSheetJobs();
  jobs = sheets.jobs;
});
afterAll(() => sheets.stop());

const cells = (...texts: string[]): string => row(...texts.map((text) => inline(text)));

describe('template with a header and buttons', () => {
  beforeAll(() => {
    jobs.messaging.components = [
      { type: 'HEADER', format: 'DOCUMENT' },
      { type: 'BODY', text: 'Order {{1}}' },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY' }, { type: 'URL', url: 'https://example.com/{{1}}' }] },
    ];
  });
  afterAll(() => {
    jobs.messaging.components = undefined;
  });
  const create = (...rows: string[]) =>
    sheets.create(accountId, bookOf({ sheets: [{ rows: rows.join('') }] }), { variables: ['1'] });

  it('is filled from columns, and invalid cells are reported by column', async () => {
    const link = 'https://example.com/a.pdf';
    const created = await create(
      cells('phone', 'Header Link', 'header filename', 'button 2', '1', 'Button 1'),
      cells('919812345670', link, '', 'x', 'A-17', ''),
      cells('919812345671', link, 'Bill.pdf', 'y', 'A-18', 'later'),
      cells('919812345672', link, '', '', 'A-19', ''),
      cells('919812345673', 'http://example.com/a.pdf', '', 'x', 'A-20', ''),
      cells('919812345674', 'https://localhost/a.pdf', '', 'x', 'A-21', ''),
      cells('919812345675', '', 'Bill.pdf', 'x', 'A-22', ''),
    );
    const begin = 'template parameters do not match the template: ';
    expect(created.errors.map(({ index, code, message }) => [index, code, message])).toEqual([
      [4, 'TEMPLATE_PARAMS_MISMATCH', `${begin}column button 2 is empty`],
      [5, 'INVALID_LINK', 'column header link must be an https URL with a public host'],
      [6, 'INVALID_LINK', 'column header link must be an https URL with a public host'],
      [7, 'TEMPLATE_PARAMS_MISMATCH', `${begin}column header link is empty`],
    ]);
    const stored = (await jobs.dataSource.query(
      "SELECT components FROM recipients WHERE job_id = $1 AND status <> 'rejected' ORDER BY position",
      [created.jobId],
    )) as { components: unknown }[];
    const text = (value: string) => ({ type: 'text', text: value });
    const componentsOf = (document: object, order: string, end: string): object[] => [
      { type: 'header', parameters: [{ type: 'document', document }] },
      { type: 'body', parameters: [text(order)] },
      { type: 'button', sub_type: 'url', index: '1', parameters: [text(end)] },
    ];
    const [header, body, url] = componentsOf({ link, filename: 'Bill.pdf' }, 'A-18', 'y');
    const reply = { type: 'button', sub_type: 'quick_reply', index: '0' };
    expect(stored.map(({ components }) => components)).toEqual([
      componentsOf({ link }, 'A-17', 'x'),
      [header, body, { ...reply, parameters: [{ type: 'payload', payload: 'later' }] }, url],
    ]);
  });

  it('takes a missing column or an empty cell from the values for all rows', async () => {
    const [link, own] = ['https://example.com/a.pdf', 'https://example.com/b.pdf'];
    const template = { name: 'order_update', language: { code: 'en_US' }, variables: { 'header link': link } };
    const message = { ...TEMPLATE, template };
    const linksOf = async (rows: string[]): Promise<unknown> => {
      const file = bookOf({ sheets: [{ rows: rows.join('') }] });
      const { jobId, rejected } = await sheets.create(accountId, file, { variables: ['1'], message });
      expect(rejected).toBe(0);
      const { recipients } = await jobs.gateway.request(listRecipientsV1, {
        ...{ accountId, jobId, page: 1, limit: 10 },
        withValues: true,
      });
      return recipients.map(({ values }) => values);
    };
    const values = { '{{1}}': 'A-17', 'button 2': 'x' };
    expect(await linksOf([cells('phone', '1', 'button 2'), cells('919812345670', 'A-17', 'x')])).toEqual([
      { 'header link': link, ...values },
    ]);
    const columns = cells('phone', '1', 'button 2', 'header link');
    expect(
      await linksOf([columns, cells('919812345670', 'A-17', 'x', ''), cells('919812345671', 'A-17', 'x', own)]),
    ).toEqual([
      { 'header link': link, ...values },
      { 'header link': own, ...values },
    ]);
  });

  it.each([
    [['phone', '1'], 'the spreadsheet lacks the columns "header link", "button 2"'],
    [
      ['phone', '1', 'header link', 'button 2', 'Button 3', '{{2}}'],
      'the template has no variable for the columns "Button 3", "{{2}}"',
    ],
    [
      ['phone', '1', 'header {{1}}', 'button 2'],
      'the spreadsheet lacks the column "header link", and the template has no variable for the column "header {{1}}"',
    ],
  ])('rejects a sheet with the columns %j', async (columns, reason) => {
    const before = await sheets.jobCount();
    await expect(create(cells(...columns), cells('919812345670'))).rejects.toMatchObject({
      code: 'TEMPLATE_PARAMS_MISMATCH',
      message: `template parameters do not match the template: ${reason}`,
    });
    expect(await sheets.jobCount()).toBe(before);
  });
});

describe('newer template types', () => {
  afterEach(() => {
    jobs.messaging.components = undefined;
  });
  const create = (components: object[], ...rows: string[]): Promise<CreatedJob> => {
    jobs.messaging.components = components;
    return sheets.create(accountId, bookOf({ sheets: [{ rows: rows.join('') }] }), { variables: [] });
  };

  it('fill cards and the end of an offer', async () => {
    const link = 'https://example.com/a.png';
    const card = {
      components: [
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: 'Only {{1}} now.' },
      ],
    };
    const offer = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Soon', has_expiration: true } };
    const created = await create(
      [offer, { type: 'CAROUSEL', cards: [card] }],
      cells('phone', 'Card 1 Header Link', 'card 1 {{1}}', 'Offer end'),
      cells('919812345670', link, '$1', '2030-01-31T18:00:00Z'),
      cells('919812345671', link, '$1', '2030-01-31'),
      cells('919812345672', link, '', '1893456000000'),
    );
    expect(created.errors.map(({ index, code, message }) => [index, code, message])).toEqual([
      [3, 'INVALID_VALUE', expect.stringMatching(/^column offer end must be a time with its zone/)],
      [4, 'TEMPLATE_PARAMS_MISMATCH', expect.stringMatching(/column card 1 \{\{1\}\} is empty$/)],
    ]);
    const [stored] = (await jobs.dataSource.query(
      'SELECT components FROM recipients WHERE job_id = $1 ORDER BY position',
      [created.jobId],
    )) as { components: unknown }[];
    expect(stored?.components).toEqual([
      {
        type: 'limited_time_offer',
        parameters: [
          { type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: Date.UTC(2030, 0, 31, 18) } },
        ],
      },
      {
        type: 'carousel',
        cards: [
          {
            card_index: 0,
            components: [
              { type: 'header', parameters: [{ type: 'image', image: { link } }] },
              { type: 'body', parameters: [{ type: 'text', text: '$1' }] },
            ],
          },
        ],
      },
    ]);
  });

  it('reject a sheet for a product list', async () => {
    const before = await sheets.jobCount();
    const components = [{ type: 'BUTTONS', buttons: [{ type: 'MPM', text: 'View items' }] }];
    await expect(create(components, cells('phone'), cells('919812345670'))).rejects.toMatchObject({
      code: 'TEMPLATE_PARAMS_MISMATCH',
      message: expect.stringContaining('button 1 opens a list of products') as string,
    });
    expect(await sheets.jobCount()).toBe(before);
  });
});
