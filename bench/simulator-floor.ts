import Fastify from 'fastify';

/** Baseline: the smallest possible fake of the upstream platform. Parses the JSON and responds with an ID. */
const app = Fastify();
let accepted = 0;
app.get('/live', async () => ({ status: 'live' }));
app.post<{ Body: { to: string } }>('/:version/:id/messages', async ({ body }) => {
  accepted += 1;
  return {
    messaging_product: 'whatsapp',
    contacts: [{ input: body.to, wa_id: body.to.slice(1) }],
    messages: [{ id: `wamid.${accepted}` }],
  };
});
// eslint-disable-next-line no-restricted-properties -- a program of the benchmark, which gives it its port
await app.listen({ port: Number(process.env.SIMULATOR_PORT), host: '127.0.0.1' });
