// Baseline: a minimal app in front of the Cloud API. It validates, runs one durable INSERT, calls the API, runs one
// UPDATE and responds. It has no idempotency keys, limits, service windows, callbacks or crash recovery. For a list, a
// loop calls it with a template, without pacing, pause or progress.
import Fastify from 'fastify';
import pg from 'pg';
import { Pool } from 'undici';

const [databaseUrl = '', simulatorUrl = '', path = '', token = ''] = process.argv.slice(2);
const database = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const upstream = new Pool(simulatorUrl, { connections: 64 });
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

const schema = {
  body: {
    type: 'object',
    required: ['to', 'type'],
    properties: {
      to: { type: 'string', pattern: '^[1-9][0-9]{7,14}$' },
      type: { enum: ['text', 'template'] },
      text: {
        type: 'object',
        required: ['body'],
        properties: { body: { type: 'string', minLength: 1, maxLength: 4096 } },
      },
      template: { type: 'object', required: ['name', 'language'] },
    },
  },
};

interface Send {
  to: string;
  type: 'text' | 'template';
  text?: object;
  template?: object;
}

await database.query(
  'CREATE TABLE IF NOT EXISTS sends (id bigserial PRIMARY KEY, recipient text, body jsonb, state text, wamid text, created_at timestamptz DEFAULT now())',
);
const app = Fastify();
app.post<{ Body: Send }>('/send', { schema }, async ({ body: { to, type, text, template } }) => {
  const insert = {
    name: 'insert',
    text: "INSERT INTO sends (recipient, body, state) VALUES ($1, $2, 'sending') RETURNING id",
    values: [to, JSON.stringify(text ?? template)],
  };
  const id = (await database.query<{ id: string }>(insert)).rows[0]?.id;
  const message = { messaging_product: 'whatsapp', recipient_type: 'individual', to: `+${to}`, type, text, template };
  const answer = await upstream.request({ path, method: 'POST', headers, body: JSON.stringify(message) });
  const { messages } = (await answer.body.json()) as { messages: { id: string }[] };
  const wamid = messages[0]?.id;
  await database.query({
    name: 'update',
    text: "UPDATE sends SET state = 'accepted', wamid = $2 WHERE id = $1",
    values: [id, wamid],
  });
  return { success: true, message_id: wamid, status: 'accepted' };
});
const address = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${address}\n`);
