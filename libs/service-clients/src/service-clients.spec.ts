import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS, type CommandContract, SERVICES } from '@switchboard/contracts';
import { GatewayClient } from './gateway.client';
import { JobsClient } from './jobs.client';
import { MessagingClient } from './messaging.client';
import { OtpClient } from './otp.client';
import { TemplatesClient } from './templates.client';
import { WebhooksClient } from './webhooks.client';

const CLIENTS = {
  gateway: GatewayClient,
  messaging: MessagingClient,
  templates: TemplatesClient,
  otp: OtpClient,
  jobs: JobsClient,
  webhooks: WebhooksClient,
};

/** Splits a command name: `messaging.send-message.v2` is version 2 of `messaging.send-message`. */
function partsOf({ name }: CommandContract): { message: string; version: number } {
  const [, message = '', version = ''] = /^(.+)\.v(\d+)$/.exec(name) ?? [];
  return { message, version: Number(version) };
}

/**
 * Checks for the newest version of a command. Services also accept older versions, from processes of the previous
 * release.
 */
function isCurrent(command: CommandContract): boolean {
  const { message, version } = partsOf(command);
  return !COMMANDS.some((other) => partsOf(other).message === message && partsOf(other).version > version);
}

/** Returns the client method of a command: `sendMessage` for `messaging.send-message`. */
function methodOf(command: CommandContract): string {
  const [, verb = ''] = partsOf(command).message.split('.');
  return verb.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the docstring of each method as a single line. */
function docsOf(service: string): Map<string, string> {
  const source = readFileSync(join(import.meta.dirname, `${service}.client.ts`), 'utf8');
  const found = source.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}(\w+)\(/g);
  return new Map([...found].map(([, doc = '', method = '']) => [method, doc.replace(/\s*\n\s*\*\s*/g, ' ')]));
}

describe.each(SERVICES)('the client of %s', (service) => {
  const commands = COMMANDS.filter((command) => command.owner === service && isCurrent(command));
  const docs = docsOf(service);

  it('has one method for each command', () => {
    const methods = Object.getOwnPropertyNames(CLIENTS[service].prototype).filter((name) => name !== 'constructor');
    expect(methods.toSorted()).toEqual(commands.map(methodOf).toSorted());
  });

  it.each(commands)('sends $name and returns its reply', async (command) => {
    const request = jest.fn().mockResolvedValue(command.sample.response);
    const client = new CLIENTS[service]({ request }) as unknown as Record<string, (body: object) => Promise<object>>;
    await expect(client[methodOf(command)]?.(command.sample.request)).resolves.toBe(command.sample.response);
    expect(request).toHaveBeenCalledTimes(1);
    expect(request.mock.calls[0]?.[0]).toBe(command);
    expect(request.mock.calls[0]?.[1]).toBe(command.sample.request);
  });

  it.each(commands)('documents the callers of $name', (command) => {
    const [, callers = 'gateway'] = / Callers: ([\w, ]+)\./.exec(docs.get(methodOf(command)) ?? '') ?? [];
    expect(callers.split(', ')).toEqual(command.callers);
  });
});

it('MessagingClient.sendMessage forwards the timeout option', async () => {
  const request = jest.fn();
  void new MessagingClient({ request }).sendMessage({} as never, { timeoutMs: 1_000 });
  expect(request).toHaveBeenCalledWith(expect.anything(), {}, { timeoutMs: 1_000 });
});
