import { listEndpointsV1, setEndpointV1 } from '@switchboard/contracts';
import { createLogger } from '@switchboard/platform';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { answerCommand, type CommandWork } from './command-work';
import { Replies } from './replies';

/** What a command is answered whose time ran out while it waited in line. */
async function codeOf(contract: CommandWork['contract'], redelivered: boolean): Promise<unknown> {
  const answers: string[] = [];
  const channel = {
    publish: (_exchange: string, _key: string, content: Buffer) => answers.push(content.toString()),
    ack: () => undefined,
  };
  const work = {
    contract,
    replies: new Replies(channel as unknown as ConfirmChannel, 'replies'),
    logger: createLogger('webhooks', 'silent'),
    handler: () => {
      throw new Error('an expired command must not run');
    },
  };
  const message = {
    properties: { replyTo: 'gateway', correlationId: '1', headers: {} },
    content: Buffer.from('{}'),
  } as unknown as ConsumeMessage;
  await answerCommand(work as unknown as CommandWork, message, {
    messageId: '1',
    failures: 0,
    redelivered,
    deadline: performance.now() - 1,
  });
  return (JSON.parse(answers[0] ?? '') as { code: string }).code;
}

describe('a command whose time ran out in line', () => {
  it('was not carried out', async () => expect(await codeOf(setEndpointV1, false)).toBe('UNAVAILABLE'));
  it('may have been carried out by a process that had it first', async () =>
    expect(await codeOf(setEndpointV1, true)).toBe('OUTCOME_UNKNOWN'));
  it('did nothing when it only reads', async () => expect(await codeOf(listEndpointsV1, true)).toBe('UNAVAILABLE'));
});
