import { listEndpointsV1, setEndpointV1 } from '@switchboard/contracts';
import { createLogger } from '@switchboard/platform';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { answerCommand, type CommandWork } from './command-work';
import { Replies } from './replies';

interface Given {
  redelivered?: boolean;
  /** How long the caller still waits, in milliseconds; by default its time has run out. */
  timeMs?: number;
  /** Confirms the note that the command is taken. */
  confirmNote?: (confirm: () => void) => void;
}

/** What a command is answered whose time ran out while it waited. */
async function codeOf(
  contract: CommandWork['contract'],
  { redelivered = false, timeMs = -1, confirmNote = (confirm) => confirm() }: Given = {},
): Promise<unknown> {
  const answers: string[] = [];
  const publish = (
    _exchange: string,
    _key: string,
    content: Buffer,
    _options: object,
    onConfirm?: () => void,
  ): void => {
    if (onConfirm) confirmNote(onConfirm);
    else answers.push(content.toString());
  };
  const channel = { publish, ack: () => undefined };
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
    deadline: performance.now() + timeMs,
  });
  return (JSON.parse(answers[0] ?? '') as { code: string }).code;
}

describe('a command whose time ran out in line', () => {
  afterEach(() => jest.useRealTimers());

  it('was not carried out', async () => expect(await codeOf(setEndpointV1)).toBe('UNAVAILABLE'));
  it('may have been carried out by a process that had it first', async () =>
    expect(await codeOf(setEndpointV1, { redelivered: true })).toBe('OUTCOME_UNKNOWN'));
  it('is not begun when the broker confirms its note too late', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const confirmNote = (confirm: () => void): void => {
      jest.advanceTimersByTime(5_000);
      confirm();
    };
    expect(await codeOf(setEndpointV1, { timeMs: 1_000, confirmNote })).toBe('UNAVAILABLE');
  });
  it('did nothing when it only reads', async () =>
    expect(await codeOf(listEndpointsV1, { redelivered: true })).toBe('UNAVAILABLE'));
});
