import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, ApiError, type Input, type Schemas } from '@switchboard/client';
import { eventually, SAMPLE_RATES } from '@switchboard/testing';
import { addNumber, newAccount, type TestAccount } from './support/account';
import { FILES } from './support/files';
import { done } from './support/installation';
import { installPythonClient, type PythonClient } from './support/python-client';
import { control, freshPhone, receivedUpstream, writeInAny } from './support/simulator';

const HELLO = { name: 'hello_world', language: { code: 'en_US' } };
/** Covers one message to India, at 0.0015 USD, but not two. */
const TOO_LOW = { amount: '0.002', currency: 'USD' };
const ENOUGH = { amount: '0.02', currency: 'USD' };
const ratesFile = join(tmpdir(), `client-rates-${process.pid}.csv`);

type Interactive = NonNullable<Extract<Input<'sendMessage'>, { type: 'interactive' }>['interactive']>;

const body = { text: 'Book your visit' };
const INTERACTIVE: Interactive[] = [
  {
    type: 'flow',
    body,
    action: {
      name: 'flow',
      parameters: {
        flowId: '1197715005513101',
        flowCta: 'Book now',
        flowToken: 'booking-7781',
        flowActionPayload: { screen: 'BOOKING', data: { firstName: 'Asha' } },
      },
    },
  },
  { type: 'location_request_message', body, action: { name: 'send_location' } },
  { type: 'product', action: { catalogId: '1948', productRetailerId: 'SKU-17' } },
  {
    type: 'product_list',
    header: { type: 'text', text: 'New' },
    body,
    action: { catalogId: '1948', sections: [{ title: 'Fruit', productItems: [{ productRetailerId: 'SKU-17' }] }] },
  },
  { type: 'call_permission_request', body, action: { name: 'call_permission_request' } },
];

interface Person {
  phone: string;
  userId: string;
  parentUserId: string;
}

/** Steps that the program of each client has. */
interface Steps {
  estimate(given: {
    recipients: string[];
    from: string[];
    maxSpend: Schemas['SpendLimit'];
  }): Promise<Record<'bulk' | 'sheet', Schemas['JobEstimate']>>;
  cap(given: {
    recipients: string[];
    from: string[];
    maxSpend: Schemas['SpendLimit'];
  }): Promise<Record<'bulk' | 'sheet', Schemas['CreatedJob']>>;
  resume(given: {
    jobId: string;
    maxSpend?: Schemas['SpendLimit'];
  }): Promise<{ code: string | null; job: Schemas['Job'] }>;
  usage(given: { by: 'job'; month?: string }): Promise<Schemas['Usage']>;
  files(given: {
    to: string;
    picture: string;
    voice: string;
  }): Promise<{ uploaded: Schemas['MediaFileAnswer']; bytes: string; sent: Answer<'sendMessage'>[] }>;
  interactive(given: { to: string; contents: Interactive[] }): Promise<Schemas['Message'][]>;
}

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
const sheetOf = (recipients: string[]) => ({
  customerExcel: { content: Buffer.from(['phone', ...recipients, ''].join('\n')), filename: 'customers.csv' },
  templateName: HELLO.name,
  language: HELLO.language.code,
});

function typeScriptSteps({ api }: TestAccount): Steps {
  return {
    estimate: async ({ recipients, from, maxSpend }) => ({
      bulk: await api.sendBulk({ type: 'template', template: HELLO, recipients, from, maxSpend, dryRun: true }),
      sheet: await api.sendBulkExcel({ ...sheetOf(recipients), from: from.join(), maxSpend, dryRun: true }),
    }),
    cap: async ({ recipients, from, maxSpend }) => ({
      bulk: await api.sendBulk({ type: 'template', template: HELLO, recipients, from, maxSpend }),
      sheet: await api.sendBulkExcel({ ...sheetOf(recipients), from: from.join(), maxSpend, hold: true }),
    }),
    resume: async ({ jobId, maxSpend }) => {
      const code = await api.resumeJob({ jobId, maxSpend }).then(
        () => null,
        (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
      );
      return { code, job: (await api.getJob({ jobId })).job };
    },
    usage: ({ by, month }) => api.getUsage({ by, month }),
    files: async ({ to, picture, voice }) => {
      const file = { content: bytesOf(voice), filename: 'voice.ogg' };
      const uploaded = await api.uploadMedia({ file: { content: bytesOf(picture), filename: 'sale.png' } });
      const note = await api.uploadMedia({ file });
      return {
        uploaded,
        bytes: Buffer.from(await (await api.getMedia({ id: uploaded.id })).arrayBuffer()).toString('base64'),
        sent: [
          await api.sendMessage({ to, type: 'image', image: { id: uploaded.id }, caption: 'The sale has started' }),
          await api.sendMessage({ to, type: 'audio', audio: { id: note.id, voice: true } }),
          await api.sendMessage({ to, type: 'audio', voice: true, file }),
        ],
      };
    },
    interactive: async ({ to, contents }) => {
      const records: Schemas['Message'][] = [];
      for (const interactive of contents) {
        const { id } = await api.sendMessage({ to, type: 'interactive', interactive });
        records.push((await api.getMessage({ id })).message);
      }
      return records;
    },
  };
}

function pythonSteps({ apiKey }: TestAccount, client: PythonClient): Steps {
  const names = ['estimate', 'cap', 'resume', 'usage', 'files', 'interactive'];
  const steps = names.map((name) => [name, (given: object) => client.step(name, given, { apiKey })]);
  return Object.fromEntries(steps) as unknown as Steps;
}

describe('clients of the gateway', () => {
  let account: TestAccount;
  let python: PythonClient | undefined;
  let from: string[];
  const clients: Partial<Record<'TypeScript' | 'Python', Steps>> = {};

  beforeAll(async () => {
    [account, python] = await Promise.all([newAccount('Clients'), installPythonClient()]);
    from = [account.phoneNumber, (await addNumber(account.accountId)).phoneNumber];
    await writeFile(ratesFile, SAMPLE_RATES);
    await done('rates', 'import', ratesFile, '--replace');
    clients.TypeScript = typeScriptSteps(account);
    clients.Python = pythonSteps(account, python);
  }, 240_000);
  afterAll(async () => {
    python?.remove();
    await rm(ratesFile, { force: true });
  });

  /** Returns a contact with a hidden number and an open service window. */
  async function hiddenPerson(): Promise<Person> {
    const wanted = { phone: freshPhone(), name: 'Asha R', hidePhone: true, parentUserId: true };
    const person = await control<Person>('POST', '/people', wanted);
    const id = await writeInAny({ from: person.phone, to: account.phoneNumber, type: 'text', text: { body: 'Hello' } });
    await eventually(async () => expect(await account.api.getMessage({ id })).toBeDefined());
    return person;
  }
  const becomes = (jobId: string, expected: object) =>
    eventually(async () => expect((await account.api.getJob({ jobId })).job).toMatchObject(expected));

  describe.each(['TypeScript', 'Python'] as const)('in %s', (language) => {
    const client = () => clients[language] as Steps;

    it('estimate a job over two numbers and create nothing', async () => {
      const recipients = [freshPhone(), freshPhone(), '12'];
      const { bulk, sheet } = await client().estimate({ recipients, from, maxSpend: TOO_LOW });
      for (const estimate of [bulk, sheet])
        expect(estimate).toMatchObject({
          dryRun: true,
          accepted: 2,
          rejected: 1,
          currency: 'USD',
          price: { lowest: '0.003', highest: '0.003', unrated: 0 },
          failures: [{ reason: 'invalid', code: 'INVALID_PHONE', recipients: 1 }],
          spendCap: { wouldPause: true, messagesAtHighest: 1 },
        });
      expect(bulk.numbers.map(({ phoneNumber }) => phoneNumber).sort()).toEqual(from.toSorted());
      expect(sheet.sheet).toMatchObject({ format: 'csv', delimiter: ',' });
      expect(await receivedUpstream(recipients[0] ?? '')).toEqual([]);
    });

    it('pause a job at its cap and resume it with a higher one', async () => {
      const { userId, phone } = await hiddenPerson();
      const recipients = [freshPhone(), freshPhone(), userId];
      const { bulk, sheet } = await client().cap({ recipients, from, maxSpend: TOO_LOW });
      const { jobId } = bulk;
      await becomes(jobId, { status: 'paused', pauseReason: 'SPEND_CAP', pending: 2, maxSpend: TOO_LOW });
      expect(await client().resume({ jobId })).toMatchObject({ code: 'SPEND_CAP_REACHED', job: { status: 'paused' } });
      expect(await client().resume({ jobId, maxSpend: ENOUGH })).toMatchObject({
        code: null,
        job: { pauseReason: null, maxSpend: ENOUGH },
      });
      await becomes(jobId, { status: 'completed', pending: 0, failed: 0 });
      for (const each of [...recipients.slice(0, 2), phone])
        expect((await receivedUpstream(each)).map(({ count }) => count)).toEqual([1]);
      const { job } = await account.api.getJob({ jobId: sheet.jobId });
      expect(job).toMatchObject({ status: 'paused', pauseReason: 'HELD', maxSpend: TOO_LOW, accepted: 0, pending: 3 });
      expect(job.numbers.map(({ phoneNumber }) => phoneNumber).sort()).toEqual(from.toSorted());
      await account.api.cancelJob({ jobId: sheet.jobId });

      const usage = await eventually(async () => {
        const found = await client().usage({ by: 'job' });
        expect(found.groups.find(({ name }) => name === jobId)).toMatchObject({ delivered: 3, amount: '0.0045' });
        return found;
      });
      expect(usage).toMatchObject({ currency: 'USD', by: 'job', spendCap: null });
      expect(await client().usage({ by: 'job', month: '2026-01' })).toMatchObject({ month: '2026-01', groups: [] });
    });

    it('upload a file once, and send it and voice notes to a user ID', async () => {
      const { phone, userId } = await hiddenPerson();
      const picture = FILES.image.bytes.toString('base64');
      const voice = FILES.audio.bytes.toString('base64');
      const { uploaded, bytes, sent } = await client().files({ to: userId, picture, voice });
      expect(uploaded).toMatchObject({ type: 'image', mimeType: 'image/png', fileName: 'sale.png' });
      expect(bytes).toBe(picture);
      const upstream = new Map((await receivedUpstream(phone)).map((message) => [message.wamid, message.body]));
      const id = expect.stringMatching(/^\d{10,}$/) as string;
      expect(sent.map(({ message_id }) => upstream.get(message_id))).toMatchObject([
        { recipient: userId, type: 'image', image: { id, caption: 'The sale has started' } },
        { recipient: userId, type: 'audio', audio: { id, voice: true } },
        { recipient: userId, type: 'audio', audio: { id, voice: true } },
      ]);
    });

    it.each(['userId', 'parentUserId'] as const)('send every interactive type to a %s', async (name) => {
      const person = await hiddenPerson();
      const records = await client().interactive({ to: person[name], contents: INTERACTIVE });
      expect(records).toMatchObject(
        INTERACTIVE.map((interactive) => ({ to: null, userId: person[name], type: 'interactive', interactive })),
      );
      const upstream = (await receivedUpstream(person.phone)).map(
        ({ body: sent }) => (sent['interactive'] as { type: string }).type,
      );
      expect(upstream.toReversed()).toEqual(INTERACTIVE.map(({ type }) => type));
    });
  });
});
