import { listEndpointsV1, setEndpointV1 } from '@switchboard/contracts';
import { createLogger } from '@switchboard/platform';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { answerCommand, type CommandWork } from './command-work';
import { Replies } from './replies';

interface Given {
  redelivered?: boolean;
  /** Time until the caller gives up, in milliseconds; already up by default. */
  timeMs?: number;
  confirmNote?: (confirm: () => void) => void;
}

/** Runs a command and returns the error code of its reply. */
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

describe('an expired command', () => {
  afterEach(() => jest.useRealTimers());

  it('fails with UNAVAILABLE', async () => expect(await codeOf(setEndpointV1)).toBe('UNAVAILABLE'));
  it('fails with OUTCOME_UNKNOWN when it was redelivered', async () =>
    expect(await codeOf(setEndpointV1, { redelivered: true })).toBe('OUTCOME_UNKNOWN'));
  it('does not start when its acceptance note is confirmed too late', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const confirmNote = (confirm: () => void): void => {
      jest.advanceTimersByTime(5_000);
      confirm();
    };
    expect(await codeOf(setEndpointV1, { timeMs: 1_000, confirmNote })).toBe('UNAVAILABLE');
  });
  it('fails with UNAVAILABLE after redelivery when it only reads', async () =>
    expect(await codeOf(listEndpointsV1, { redelivered: true })).toBe('UNAVAILABLE'));
});
