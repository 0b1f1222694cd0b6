import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo, LookupFunction } from 'node:net';
import { checkMediaUrl, publicConnector } from './media-guard';

const API = 'http://127.0.0.1:3900';

describe('checkMediaUrl', () => {
  it.each([
    'https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=133',
    `${API}/media/1`,
    'https://93.184.216.34/x',
  ])('accepts %s', (url) => {
    expect(checkMediaUrl(url, API).href).toBe(url);
  });

  it.each([
    ['', 'it is no URL'],
    ['/media/1', 'it is no URL'],
    ['http://lookaside.fbsbx.com/x', 'it is not https'],
    ['file:///etc/passwd', 'it is not https'],
    ['http://127.0.0.1:5432/', 'it is not https'],
    ['https://127.0.0.1:3900/', 'its host is not public'],
    ['https://0x7f.1/', 'its host is not public'],
    ['https://2130706433/', 'its host is not public'],
    ['https://[::1]/', 'its host is not public'],
    ['https://[::ffff:127.0.0.1]/', 'its host is not public'],
    ['https://169.254.169.254/latest/meta-data', 'its host is not public'],
    ['https://10.0.0.1/', 'its host is not public'],
    ['https://localhost/', 'its host is not public'],
    ['https://db.internal/', 'its host is not public'],
    ['https://user:pass@lookaside.fbsbx.com/x', 'it holds credentials'],
  ])('rejects %s: %s', (url, reason) => expect(() => checkMediaUrl(url, API)).toThrow(reason));
});

describe('publicConnector', () => {
  /** Connects to a port that is open on this host and returns the outcome. */
  const connect = async (hostname: string, lookup?: LookupFunction): Promise<string> => {
    let reached = 0;
    const server = createServer((socket) => {
      reached += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = String((server.address() as AddressInfo).port);
    const outcome = await new Promise<string>((resolve) => {
      publicConnector(1_000, lookup)({ hostname, host: hostname, protocol: 'http:', port }, (...[error]) =>
        resolve(error?.message ?? 'connected'),
      );
    });
    server.close();
    return `${outcome}, reached ${reached}`;
  };

  it.each(['127.0.0.1', '[::1]', '10.1.2.3'])('never connects to the literal %s', async (host) => {
    expect(await connect(host)).toBe('media address refused: its address is not public, reached 0');
  });

  it('never connects to a name with a private address', async () => {
    const lookup: LookupFunction = (_name, _options, callback) =>
      callback(null, [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    expect(await connect('media.example.com', lookup)).toBe(
      'media address refused: its address is not public, reached 0',
    );
  });
});
