import { request } from 'undici';

interface Lists {
  messages?: {
    id: string;
    from: string | null;
    to: string | null;
    direction: string;
    type: string;
    [type: string]: unknown;
  }[];
  templates?: { name: string; language: string }[];
  numbers?: { phoneNumber: string }[];
  jobs?: { jobId: string }[];
  pagination?: { nextCursor: string | null };
}

/** Returns existing values of an account by field name, so that generated requests pass the first checks. */
export async function knownValues(url: string, apiKey: string): Promise<Record<string, string[]>> {
  const read = async (path: string): Promise<Lists> => {
    const { statusCode, body } = await request(`${url}/v1${path}`, { headers: { authorization: `Bearer ${apiKey}` } });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`GET ${path} was answered ${statusCode}: ${text}`);
    return JSON.parse(text) as Lists;
  };
  const [{ numbers = [] }, { templates = [] }, { messages = [], pagination }] = [
    await read('/me'),
    await read('/templates'),
    await read('/messages?limit=100'),
  ];
  const { jobs = [] } = await read('/jobs?limit=100');
  const phones = distinct(messages.map(({ direction, from, to }) => (direction === 'inbound' ? from : to)));
  const received = messages.filter(({ direction }) => direction === 'inbound');
  const media = distinct(messages.map((message) => (message[message.type] as { id?: string } | undefined)?.id));
  return {
    to: phones,
    phone: phones,
    q: phones.map((phone) => phone.slice(0, 5)),
    from: numbers.map(({ phoneNumber }) => phoneNumber),
    name: distinct(templates.map(({ name }) => name)),
    code: distinct(templates.map(({ language }) => language)),
    language: distinct(templates.map(({ language }) => language)),
    templateName: distinct(templates.map(({ name }) => name)),
    jobId: jobs.map(({ jobId }) => jobId),
    // Uses equal numbers of file and message ids, so that both are hit often. Only received messages can be marked as
    // read.
    id: [...media, ...received.slice(0, Math.max(media.length, 1)).map(({ id }) => id)],
    cursor: distinct([pagination?.nextCursor]),
  };
}

function distinct(values: (string | null | undefined)[]): string[] {
  return [...new Set(values.filter((value): value is string => typeof value === 'string' && value !== ''))];
}
