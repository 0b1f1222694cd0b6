import { sendMessageV1, setEndpointV1 } from '@switchboard/contracts';
import type { ConsumeMessage } from 'amqplib';
import { groupsOf, membersOf, requestIn } from './command-group';
import { RequestBox } from './sealed-request';
import { groupedCommand } from './wire';

const request = (command: typeof sendMessageV1 | typeof setEndpointV1, length = 100) => ({
  command,
  json: 'x'.repeat(length),
});
const lengthsOf = (items: ReturnType<typeof request>[]) =>
  groupsOf(items).map((group) => group.map(({ json }) => json.length));

describe('groupsOf', () => {
  it('puts at most sixteen commands into a group', () =>
    expect(lengthsOf(Array.from({ length: 35 }, () => request(sendMessageV1))).map(({ length }) => length)).toEqual([
      16, 16, 3,
    ]));

  it('groups short commands of the same contract', () =>
    expect(
      lengthsOf([
        request(sendMessageV1, 1),
        request(setEndpointV1, 2),
        request(sendMessageV1, 5_000),
        request(sendMessageV1, 3),
        request(setEndpointV1, 4),
      ]),
    ).toEqual([[1, 3], [2, 4], [5_000]]));

  it("keeps a group within the contract's size limit", () => {
    const groups = lengthsOf(Array.from({ length: 16 }, () => request(sendMessageV1, 4_000)));
    expect(groups.map(({ length }) => length)).toEqual([9, 7]);
  });
});

describe('membersOf', () => {
  const message = (content: string) =>
    ({ content: Buffer.from(content), properties: { replyTo: 'r', correlationId: 'group' } }) as ConsumeMessage;

  it('parses a group into messages that share one acknowledgement', () => {
    const members = membersOf(
      message(
        `[${groupedCommand({ id: 'a', headers: { n: 1 }, content: '{"url":"x"}' })},${groupedCommand({ id: 'b', content: '[]' })}]`,
      ),
    );
    expect(members?.map((member) => [member.properties, requestIn(member, sendMessageV1, new RequestBox())])).toEqual([
      [{ replyTo: 'r', correlationId: 'a', messageId: 'a', headers: { n: 1 } }, { url: 'x' }],
      [{ replyTo: 'r', correlationId: 'b', messageId: 'b', headers: {} }, []],
    ]);
    expect(members?.[0]?.group).toBe(members?.[1]?.group);
    expect(members?.[0]?.group).toEqual({ unanswered: 2 });
  });

  it('rejects a group with an id that AMQP does not allow', () =>
    expect(membersOf(message(`[{"id":"${'x'.repeat(256)}"}]`))).toBeUndefined());

  it.each(['', '{', '{}', '[]', '[null]', '[{"id":7}]', '[{"id":"a","body":{}},{}]'])(
    'rejects the content %j',
    (content) => expect(membersOf(message(content))).toBeUndefined(),
  );
});
