// What somebody would write in front of the Cloud API: validate, one durable INSERT, the call, one UPDATE, reply. No keys, no limits,
// no window, no templates, no callbacks, nothing that survives a crash in between.
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
    required: ['to', 'type', 'text'],
    properties: {
      to: { type: 'string', pattern: '^[1-9][0-9]{7,14}$' },
      type: { const: 'text' },
      text: { type: 'object', required: ['body'], properties: { body: { type: 'string', minLength: 1, maxLength: 4096 } } },
    },
  },
};

interface Send {
  to: string;
  text: { body: string };
}

await database.query("CREATE TABLE IF NOT EXISTS sends (id bigserial PRIMARY KEY, recipient text, body jsonb, state text, wamid text, created_at timestamptz DEFAULT now())");
const app = Fastify();
app.post<{ Body: Send }>('/send', { schema }, async ({ body: { to, text } }) => {
  const insert = { name: 'insert', text: "INSERT INTO sends (recipient, body, state) VALUES ($1, $2, 'sending') RETURNING id", values: [to, JSON.stringify(text)] };
  const id = (await database.query<{ id: string }>(insert)).rows[0]?.id;
  const message = { messaging_product: 'whatsapp', recipient_type: 'individual', to: `+${to}`, type: 'text', text };
  const answer = await upstream.request({ path, method: 'POST', headers, body: JSON.stringify(message) });
  const { messages } = (await answer.body.json()) as { messages: { id: string }[] };
  const wamid = messages[0]?.id;
  await database.query({ name: 'update', text: "UPDATE sends SET state = 'accepted', wamid = $2 WHERE id = $1", values: [id, wamid] });
  return { success: true, message_id: wamid, status: 'accepted' };
});
const address = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${address}\n`);
