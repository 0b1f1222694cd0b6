import Fastify, { type FastifyInstance } from 'fastify';
import { type ControlAccess, guardControl } from './control-access';

function appWith(access: ControlAccess): FastifyInstance {
  const app = Fastify();
  guardControl(app, access);
  app.post('/reset', async () => ({ reset: true }));
  return app;
}

async function statusFor(
  access: ControlAccess,
  call: { remoteAddress?: string; host?: string; origin?: string },
): Promise<number> {
  const { remoteAddress = '127.0.0.1', host = 'localhost:3900', origin } = call;
  const headers = { host, ...(origin !== undefined && { origin }) };
  return (await appWith(access).inject({ method: 'POST', url: '/reset', remoteAddress, headers })).statusCode;
}

describe('control API access', () => {
  it.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])('allows %s', async (remoteAddress) => {
    expect(await statusFor('loopback', { remoteAddress })).toBe(200);
  });

  it.each(['10.0.0.9', '2001:db8::1', '::ffff:10.0.0.9'])(
    'denies %s, unless access is unrestricted',
    async (remoteAddress) => {
      expect(await statusFor('loopback', { remoteAddress })).toBe(403);
      expect(await statusFor('any', { remoteAddress, host: 'simulator:3900' })).toBe(200);
    },
  );

  it('denies a foreign host name that resolves to this machine', async () => {
    expect(await statusFor('loopback', { host: 'evil.example' })).toBe(403);
    for (const host of ['127.0.0.1:3900', '[::1]:3900', 'localhost'])
      expect(await statusFor('loopback', { host })).toBe(200);
  });

  it.each(['https://evil.example', 'null', 'http://localhost:4000'])(
    'denies pages of the origin %s',
    async (origin) => {
      for (const access of ['loopback', 'any'] as const) expect(await statusFor(access, { origin })).toBe(403);
      expect(await statusFor('loopback', { origin: 'http://localhost:3900' })).toBe(200);
    },
  );
});
