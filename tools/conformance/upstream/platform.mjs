// @ts-check
// Starts the simulator behind a proxy that records requests and can replace a response.
import { createServer, request as httpRequest } from 'node:http';

/** @typedef {{ method: string, path: string, body?: any, form?: string[] }} RecordedRequest */
/** @typedef {Awaited<ReturnType<typeof startPlatform>>} Platform */

const silent = /** @type {any} */ ({ info() {}, warn() {}, error() {}, debug() {} });

/**
 * @param {typeof import('./code.mjs')} code
 * @param {{ appSecret: string, token: string }} secrets
 */
export async function startPlatform(code, { appSecret, token }) {
  /** @type {RecordedRequest[]} */
  const requests = [];
  /** @type {{ status: number, body: object } | undefined} */
  let forced;
  let target = '';
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const path = request.url ?? '';
    if (path.startsWith('/callbacks')) return void response.end();
    requests.push(recorded(request, body));
    if (forced) {
      const { status, body: given } = forced;
      forced = undefined;
      return void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(given));
    }
    const { method, headers } = request;
    const forwarded = httpRequest(target + path, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy()).end(body);
  });
  const url = await listening(server);
  const settings = code.toSettings(
    /** @type {any} */ ({
      SIMULATOR_PORT: 0,
      SIMULATOR_CALLBACK_URL: `${url}/callbacks`,
      SIMULATOR_APP_SECRET: appSecret,
      SIMULATOR_VERIFY_TOKEN: 'verify-me',
      SIMULATOR_ACCESS_TOKEN: token,
      SIMULATOR_SENT_DELAY_MS: 0,
      SIMULATOR_DELIVERED_DELAY_MS: 0,
      SIMULATOR_READ_DELAY_MS: 0,
      SIMULATOR_CALLBACK_RETRY_MAX_SECONDS: 1,
      SIMULATOR_CONTROL_ACCESS: 'loopback',
      SIMULATOR_FREE_SERVICE_MESSAGES: 1_000,
      SIMULATOR_REVIEW_DELAY_MS: 1,
      SIMULATOR_FIRST_PAUSE_MINUTES: 180,
      SIMULATOR_MEDIA_MEGABYTES: 64,
    }),
  );
  const simulator = code.createSimulator(settings, silent);
  target = await simulator.listen({ port: 0, host: '127.0.0.1' });
  return {
    url,
    requests: () => requests,
    last: () => /** @type {RecordedRequest} */ (requests.at(-1)),
    /** Replaces the next response. */
    respondOnce: (/** @type {number} */ status, /** @type {object} */ body) => (forced = { status, body }),
    /** Calls the control API of the simulator. */
    control: async (/** @type {string} */ path, /** @type {object} */ body) => {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return /** @type {any} */ (await (await fetch(`${target}/_control/${path}`, init)).json());
    },
    close: async () => {
      await simulator.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** @returns {Promise<string>} */
function listening(/** @type {import('node:http').Server} */ server) {
  return new Promise((done) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      done(`http://127.0.0.1:${port}`);
    }),
  );
}

/** @returns {RecordedRequest} */
function recorded(
  /** @type {import('node:http').IncomingMessage} */ { method = '', url = '', headers },
  /** @type {Buffer} */ body,
) {
  const type = headers['content-type'] ?? '';
  const path = decodeURIComponent(url);
  if (type.startsWith('multipart/form-data')) {
    const names = [...body.toString('latin1').matchAll(/ name="([^"]+)"/g)].map(([, name]) => String(name));
    return { method, path, form: names };
  }
  if (type.startsWith('application/json') && body.length > 0)
    return { method, path, body: JSON.parse(body.toString('utf8')) };
  return { method, path };
}
