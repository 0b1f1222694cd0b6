import { eventually } from '@switchboard/testing';
import { CUSTOMER, PHONE_NUMBER_ID, startSimulator, type StartedSimulator, text } from './start-simulator';

const NUMBER = '15550783881';
const reply = (id: string, title: string) => ({ type: 'reply', reply: { id, title } });
const buttons = (...given: object[]) => ({ type: 'button', body: { text: 'When?' }, action: { buttons: given } });
const list = (...sections: object[]) => ({
  type: 'list',
  body: { text: 'How?' },
  action: { button: 'Choose', sections },
});
const row = (id: string, title = 'Express') => ({ id, title, description: '1-2 days' });

describe('contact and reply messages', () => {
  let simulator: StartedSimulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  const writeIn = async (type = 'text', content: object = { body: 'Hello' }): Promise<string> =>
    (
      await simulator.control<{ messageId: string }>('inbound', {
        from: CUSTOMER,
        name: 'Asha R',
        type,
        [type]: content,
      })
    ).messageId;
  const post = (body: object) =>
    simulator.graph('POST', `${PHONE_NUMBER_ID}/messages`, { messaging_product: 'whatsapp', ...body });
  const send = (type: string, content: unknown) => post({ to: `+${CUSTOMER}`, type, [type]: content });
  const refusalOf = async (type: string, content: unknown): Promise<[number, unknown]> => {
    const { status, body } = await send(type, content);
    const { code, message, error_data: data } = body.error as Record<string, Record<string, unknown>>;
    expect(status).toBe(400);
    return [code as unknown as number, (data as { details?: string } | undefined)?.details ?? message];
  };
  const accepted = async (type: string, content: unknown): Promise<string> => {
    const { status, body } = await send(type, content);
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
    return (body.messages as { id: string }[])[0]?.id ?? '';
  };
  const statusesOf = (wamid: string) => simulator.statuses().filter(({ id }) => id === wamid);
  const inbound = () =>
    simulator.changes('messages').flatMap(({ messages = [] }) => messages as Record<string, unknown>[]);

  it.each<[string, unknown, number, string]>([
    [
      'interactive',
      buttons(reply('a', 'x'.repeat(21))),
      131009,
      'Button title length invalid. Min length: 1, Max length: 20',
    ],
    [
      'interactive',
      buttons(...['a', 'b', 'c', 'd'].map((id) => reply(id, id))),
      131009,
      'Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3',
    ],
    ['interactive', buttons(reply('a', 'Yes'), reply('b', 'Yes')), 131009, 'Button titles must be unique'],
    [
      'interactive',
      { ...buttons(reply('a', 'A')), body: { text: 'x'.repeat(1_025) } },
      131009,
      'Body text length invalid. Min length: 1, Max length: 1024',
    ],
    [
      'interactive',
      { ...buttons(reply('a', 'A')), footer: { text: 'x'.repeat(61) } },
      131009,
      'Footer text length invalid. Min length: 1, Max length: 60',
    ],
    ['interactive', list({ rows: [row('a', 'x'.repeat(25))] }), 131009, 'Row title is too long. Max length is 24'],
    [
      'interactive',
      list({ rows: Array.from({ length: 11 }, (_, index) => row(`r${index}`)) }),
      131009,
      'Total row count exceed max allowed count: 10',
    ],
    [
      'interactive',
      list({ rows: [row('a')] }, { rows: [row('b')] }),
      131009,
      'Section title is required when there is more than one section',
    ],
    [
      'interactive',
      { ...list({ rows: [row('a')] }), header: { type: 'image', image: { link: 'https://a.example/b.png' } } },
      131009,
      'Header type image is not supported for this interactive message',
    ],
    [
      'interactive',
      {
        type: 'cta_url',
        body: { text: 'x' },
        action: { name: 'cta_url', parameters: { display_text: 'Go', url: 'ftp://a' } },
      },
      131009,
      'URL of the button is not valid',
    ],
    ['location', { latitude: 91, longitude: 0 }, 131009, "Param location['latitude'] is out of range"],
    [
      'contacts',
      [{ name: { first_name: 'Bo' } }],
      100,
      "(#100) The parameter contacts['name']['formatted_name'] is required.",
    ],
    ['reaction', { message_id: 'x', emoji: '👍' }, 131009, "Param reaction['message_id'] is not a valid message id"],
    ['reaction', { message_id: 'wamid.X', emoji: 'yes' }, 131009, "Param reaction['emoji'] is not an emoji"],
    [
      'sticker',
      { link: 'https://a.example/b.webp', caption: 'x' },
      100,
      '(#100) Unexpected key "caption" on param "sticker".',
    ],
  ])('rejects %s %j with %i', async (type, content, code, details) => {
    expect(await refusalOf(type, content)).toEqual([code, details]);
  });

  it('sends a reply when a customer presses a button or selects a row', async () => {
    await writeIn();
    const asked = await accepted('interactive', buttons(reply('today', 'Today'), reply('later', 'Later')));
    const offered = await accepted('interactive', list({ rows: [row('express')] }));
    await simulator.control('press', { messageId: asked, id: 'later' });
    await simulator.control('press', { messageId: offered, id: 'express' });
    await eventually(() =>
      expect(inbound().slice(1)).toMatchObject([
        {
          from: CUSTOMER,
          type: 'interactive',
          context: { from: NUMBER, id: asked },
          interactive: { type: 'button_reply', button_reply: { id: 'later', title: 'Later' } },
        },
        {
          context: { from: NUMBER, id: offered },
          interactive: { type: 'list_reply', list_reply: { id: 'express', title: 'Express', description: '1-2 days' } },
        },
      ]),
    );
    await expect(simulator.control('press', { messageId: asked, id: 'never' })).rejects.toThrow(
      'no such button, row or product',
    );
    await expect(simulator.control('press', { messageId: 'wamid.X', id: 'a' })).rejects.toThrow('HTTP 404');
  });

  it('sends a reaction to an inbound message, and fails other reactions', async () => {
    const wamid = await writeIn();
    const right = await accepted('reaction', { message_id: wamid, emoji: '👍' });
    const wrong = await accepted('reaction', { message_id: 'wamid.NOBODY', emoji: '👍' });
    const later = await simulator.send(text);
    await eventually(() => expect(statusesOf(later).map(({ status }) => status)).toContain('read'));
    expect(statusesOf(right).map(({ status }) => status)).toEqual(['sent']);
    expect(statusesOf(wrong)).toMatchObject([{ status: 'failed', errors: [{ code: 131009 }] }]);
  });

  it('marks messages as read and shows typing until the next message', async () => {
    const [first, second, third] = [await writeIn(), await writeIn(), await writeIn()];
    const chat = () =>
      simulator.control<{ messages: { id: string; readAt?: string }[]; isTyping: boolean }>(
        `conversations/${CUSTOMER}`,
      );
    expect(await post({ status: 'read', message_id: second })).toEqual({ status: 200, body: { success: true } });
    const read = (await chat()).messages.filter(({ readAt }) => readAt !== undefined);
    expect(read.map(({ id }) => id)).toEqual([first, second]);
    await post({ status: 'read', message_id: third, typing_indicator: { type: 'text' } });
    expect((await chat()).isTyping).toBe(true);
    await simulator.send(text);
    expect((await chat()).isTyping).toBe(false);
  });

  it.each([
    [{ status: 'delivered', message_id: 'wamid.X' }, 100],
    [{ status: 'read' }, 100],
    [{ status: 'read', message_id: 'wamid.X' }, 131009],
    [{ status: 'read', message_id: 'X' }, 131009],
    [{ status: 'read', message_id: 'wamid.X', typing_indicator: { type: 'voice' } }, 100],
  ])('rejects the read receipt %j with %i', async (body, code) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { error: { code } } });
  });
});
