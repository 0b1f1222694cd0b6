// @ts-check
// npm run command -- <name> [<JSON>]: sends a command to its service through RabbitMQ, as the gateway does, and prints
// the reply. The default body is the contract's sample. docs/messages.md lists the commands.
import { openRpcClient } from './chaos/rpc-client.mjs';
import { readInfra } from './infra/state.mjs';

const [name, body] = process.argv.slice(2);
const { rabbitmq } = readInfra();
if (name === undefined || rabbitmq === undefined) {
  process.stderr.write(
    name === undefined
      ? "usage: npm run command -- <name> ['<JSON>'], for example messaging.count-secrets.v1\n"
      : 'RabbitMQ is not running. Start it: npm run infra\n',
  );
  process.exit(2);
}
const { url, logins = {}, namespace = '' } = rabbitmq;
/** @type {import('./chaos/rpc-client.mjs').RpcClient | undefined} */
let client;
try {
  client = await openRpcClient({ broker: { url, logins, namespace } });
  const { status, reply, error } = await client.request(name, body === undefined ? undefined : readBody(body));
  process.stdout.write(`${status} ${JSON.stringify(reply ?? { ...error, message: error?.message }, null, 2)}\n`);
  process.exitCode = error === undefined ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  await client?.close();
}

/** @param {string} text @throws Error when it is not valid JSON */
function readBody(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the body is not JSON: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
