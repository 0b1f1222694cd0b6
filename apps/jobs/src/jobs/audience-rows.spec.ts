import type { AppError, JobRow, ListAudienceCommand, ListAudienceReply, MessageContent } from '@switchboard/contracts';
import type { MessagingClient } from '@switchboard/service-clients';
import { AudienceRows, NameRows } from './audience-rows';

type Template = NonNullable<MessageContent['template']>;

const CHECKED = {
  template: {
    name: 'order_update',
    language: 'en_US',
    category: 'UTILITY',
    bodyVariables: ['1', '2'],
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Hello {{1}}, see you on {{2}}.' },
    ],
  },
};
const messageOf = (more: Partial<Template> = {}): MessageContent => ({
  type: 'template',
  template: { name: 'order_update', language: { code: 'en_US' }, ...more },
});
const namesOf = (nameVariables: string[], more?: Partial<Template>): NameRows =>
  new NameRows(messageOf(more), CHECKED, nameVariables);
const rowWith = (name: string | null, nameVariables: string[], variables?: Template['variables']): JobRow =>
  namesOf(nameVariables, { variables }).rowOf({ recipient: '919812345678', name }, 3);
const faultOf = (work: () => unknown): Partial<AppError> => {
  try {
    work();
  } catch (error) {
    return error as AppError;
  }
  return {};
};

describe('rows of an audience', () => {
  it('fill the name variables with the name', () =>
    expect(rowWith('Asha R', ['1', '2'])).toEqual({
      position: 3,
      phone: '919812345678',
      variables: { '1': 'Asha R', '2': 'Asha R' },
    }));

  it('have the other values of the template beside the name', () =>
    expect(rowWith('Asha R', ['1'], { '1': 'customer', '2': 'Monday' }).variables).toEqual({
      '1': 'Asha R',
      '2': 'Monday',
    }));

  it('have the other values of a list beside the name', () =>
    expect(rowWith('Asha R', ['1'], ['customer', 'Monday']).variables).toEqual({ '1': 'Asha R', '2': 'Monday' }));

  it('replace values by any of their names', () => {
    const values = { '1': 'customer', '{{2}}': 'Monday', 'header media': 'https://example.com/a.png' };
    expect(rowWith('Asha R', ['{{1}}', '2'], values).variables).toEqual({
      '1': 'Asha R',
      '2': 'Asha R',
      'header link': 'https://example.com/a.png',
    });
  });

  it('write a name on one line', () => expect(rowWith(' Asha\n\t  R ', ['1']).variables).toEqual({ '1': 'Asha R' }));

  it('keep the joiners of a name', () => {
    const name = '\u0D28\u0D28\u0D4D\u200D\u0D26';
    expect(rowWith(name, ['1']).variables).toEqual({ '1': name });
  });

  it.each([
    null,
    '',
    ' \n ',
    '\u200B',
    '\u200E\u2060',
    '\u3164',
    '\u2800 \u2800',
    '\u115F\u1160\uFFA0',
    '\u0301',
    '\u0001',
  ])('have no values for the name %j', (name) =>
    expect(rowWith(name, ['1'], { '1': 'customer' })).toEqual({ position: 3, phone: '919812345678' }),
  );

  it('have no values without name variables', () =>
    expect(rowWith('Asha R', [], { '1': 'customer' })).toEqual({ position: 3, phone: '919812345678' }));

  it('reject name variables that the template does not have', () =>
    expect(faultOf(() => namesOf(['1', 'first_name']))).toMatchObject({
      code: 'TEMPLATE_PARAMS_MISMATCH',
      message: expect.stringContaining('the template has no variable first_name'),
    }));

  it('reject name variables together with components', () =>
    expect(
      faultOf(() => namesOf(['1'], { components: [{ type: 'body', parameters: [{ type: 'text', text: 'you' }] }] })),
    ).toMatchObject({ code: 'INVALID_PARAMETER' }));
});

describe('pages of an audience', () => {
  const PAGES = 3;

  /** Returns an audience of full pages, and the pages that were asked for. */
  function audienceOf({ name = 'Asha', pages = PAGES }: { name?: string | null; pages?: number } = {}) {
    const asked: number[] = [];
    const listAudience = ({ after = '0', limit }: ListAudienceCommand): Promise<ListAudienceReply> => {
      const page = Number(after);
      asked.push(page);
      const members = Array.from({ length: limit }, (_, index) => ({ recipient: `${page}-${index}`, name }));
      return Promise.resolve({ members, next: page + 1 < pages ? String(page + 1) : null });
    };
    const rows = new AudienceRows({ listAudience } as unknown as MessagingClient);
    return { asked, rows };
  }
  const commandOf = (more: Partial<Template>, nameVariables: string[]) => ({
    accountId: 'acc_1',
    message: messageOf(more),
    audience: { maxRecipients: 100_000, nameVariables },
  });

  it('are read while the previous page is handled', async () => {
    const { asked, rows } = audienceOf();
    const seen: number[] = [];
    for await (const batch of rows.batchesOf(commandOf({}, []), CHECKED)) {
      expect(batch).toHaveLength(1_000);
      seen.push(asked.length);
    }
    expect(seen).toEqual([2, 3, 3]);
  });

  it('are not read for an unknown name variable', async () => {
    const { asked, rows } = audienceOf();
    await expect(rows.batchesOf(commandOf({}, ['first_name']), CHECKED).next()).rejects.toMatchObject({
      code: 'TEMPLATE_PARAMS_MISMATCH',
    });
    expect(asked).toEqual([]);
  });

  it('end when the values of all rows are too large', async () => {
    const variables = { '1': 'customer', '2': 'a'.repeat(70_000) };
    const read = async (name: string | null): Promise<number> => {
      const { asked, rows } = audienceOf({ name, pages: 10 });
      try {
        for await (const batch of rows.batchesOf(commandOf({ variables }, ['1']), CHECKED))
          expect(batch.length).toBeLessThanOrEqual(1_000);
      } catch (error) {
        expect(error).toMatchObject({ code: 'TEXT_TOO_LONG' });
      }
      return asked.length;
    };
    expect(await read('Asha')).toBe(2);
    expect(await read(null)).toBe(10);
  });
});
