import { eventually } from '@switchboard/testing';
import { startSimulator, type StartedSimulator } from './start-simulator';

const NUMBER = '15550783881';
const CUSTOMER = '919812345678';

describe("the business's phone app", () => {
  let simulator: StartedSimulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  it('echoes a message to a customer without counting a send', async () => {
    const { messageId } = await simulator.control('echoes', { to: CUSTOMER, text: { body: 'Until six' } });
    await eventually(() =>
      expect(simulator.changes('smb_message_echoes')).toMatchObject([
        {
          metadata: { display_phone_number: NUMBER },
          message_echoes: [{ from: NUMBER, to: CUSTOMER, id: messageId, type: 'text', text: { body: 'Until six' } }],
        },
      ]),
    );
    expect(await simulator.control(`conversations/${CUSTOMER}`)).toMatchObject({
      messages: [{ direction: 'outbound', type: 'text', isEcho: true }],
    });
    expect(await simulator.control('summary')).toMatchObject({ accepted: 0 });
    const revoke = { original_message_id: messageId };
    await simulator.control('echoes', { to: CUSTOMER, type: 'revoke', revoke });
    await eventually(() => expect(simulator.changes('smb_message_echoes').length).toBe(2));
    expect(simulator.changes('smb_message_echoes')[1]).toMatchObject({ message_echoes: [{ type: 'revoke', revoke }] });
  });

  it('sends its history, or an error when it declines', async () => {
    const messages = [
      { by: 'customer', text: 'Hi', ageDays: 30 },
      { by: 'business', type: 'media_placeholder', status: 'DELIVERED', timestamp: 1_780_000_000 },
    ];
    const threads = [{ customer: CUSTOMER, messages }];
    await simulator.control('history', { phase: 1, chunkOrder: 2, progress: 55, threads });
    await simulator.control('history', { declined: true });
    await eventually(() => expect(simulator.changes('history').length).toBe(2));
    expect(simulator.changes('history')).toMatchObject([
      {
        history: [
          {
            metadata: { phase: 1, chunk_order: 2, progress: 55 },
            threads: [
              {
                id: CUSTOMER,
                messages: [
                  { from: CUSTOMER, type: 'text', text: { body: 'Hi' }, history_context: { status: 'READ' } },
                  {
                    from: NUMBER,
                    to: CUSTOMER,
                    type: 'media_placeholder',
                    timestamp: '1780000000',
                    history_context: { status: 'DELIVERED' },
                  },
                ],
              },
            ],
          },
        ],
      },
      { history: [{ errors: [{ code: 2593109 }] }] },
    ]);
  });

  it('sends the contacts of its address book', async () => {
    await simulator.control('app-contacts', {
      contacts: [
        { phone: CUSTOMER, name: 'Asha Rao' },
        { phone: CUSTOMER, action: 'remove', timestamp: 1_780_000_000 },
      ],
    });
    await eventually(() => expect(simulator.changes('smb_app_state_sync').length).toBe(1));
    expect(simulator.changes('smb_app_state_sync')).toMatchObject([
      {
        state_sync: [
          {
            type: 'contact',
            action: 'add',
            contact: { full_name: 'Asha Rao', first_name: 'Asha', phone_number: CUSTOMER },
          },
          { action: 'remove', contact: { phone_number: CUSTOMER }, metadata: { timestamp: '1780000000' } },
        ],
      },
    ]);
  });

  it.each([
    ['echoes', { to: 'x', text: { body: 'a' } }],
    ['echoes', { to: CUSTOMER }],
    ['echoes', { to: CUSTOMER, text: { body: 'a' }, timestamp: 'soon' }],
    ['history', {}],
    ['history', { threads: [{ customer: CUSTOMER }] }],
    ['history', { threads: [{ customer: CUSTOMER, messages: [{ by: 'nobody', text: 'a' }] }] }],
    ['history', { phase: 'x', threads: [] }],
    ['app-contacts', { contacts: [{}] }],
    ['app-contacts', {}],
  ])('rejects invalid input: %s %j', async (path, body) => {
    await expect(simulator.control(path, body)).rejects.toThrow('HTTP 400');
  });
});
