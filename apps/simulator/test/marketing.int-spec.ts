import { eventually } from '@switchboard/testing';
import {
  ACCESS_TOKEN,
  CUSTOMER,
  helloWorld,
  PHONE_NUMBER_ID,
  startSimulator,
  type StartedSimulator,
  WABA_ID,
} from './start-simulator';

const OFFER = { name: 'spring_sale', language: { code: 'en_US' } };
const components = [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }];
const body = { ...helloWorld, template: { ...OFFER, components } };

describe('Marketing Messages API', () => {
  let simulator: StartedSimulator;

  beforeEach(async () => {
    simulator = await startSimulator();
    await simulator.control(`templates/${OFFER.name}/status`, { language: 'en_US', event: 'APPROVED' });
  });
  afterEach(() => simulator.close());

  const onboard = (status: string, more: object = {}) =>
    simulator.control(`businesses/${WABA_ID}/marketing`, { status, ...more });
  const send = (given: object = body) =>
    simulator.client.sendMessage({
      phoneNumberId: PHONE_NUMBER_ID,
      accessToken: ACCESS_TOKEN,
      isMarketing: true,
      body: { ...body, ...given },
    });
  const status = () => simulator.client.getMarketingOnboarding({ wabaId: WABA_ID, accessToken: ACCESS_TOKEN });

  it('accepts marketing of an onboarded business in a separate pricing category', async () => {
    expect(await status()).toBe('ELIGIBLE');
    await onboard('ONBOARDED');
    expect(await status()).toBe('ONBOARDED');
    await eventually(() =>
      expect(simulator.changes('account_update')).toMatchObject([
        { event: 'MM_LITE_TERMS_SIGNED', waba_info: { waba_id: WABA_ID } },
      ]),
    );
    const { messageId } = await send({ biz_opaque_callback_data: 'msg_01' });
    await eventually(() =>
      expect(simulator.statuses().filter(({ id }) => id === messageId)).toMatchObject([
        { status: 'sent', biz_opaque_callback_data: 'msg_01', pricing: { category: 'marketing_lite', billable: true } },
        { status: 'delivered' },
        { status: 'read' },
      ]),
    );
    const usual = await simulator.send(body);
    await eventually(() =>
      expect(simulator.statuses().find(({ id }) => id === usual)?.pricing).toMatchObject({ category: 'marketing' }),
    );
  });

  it('rejects everything else and sends nothing', async () => {
    await expect(send()).rejects.toMatchObject({ kind: 'rejected', code: 131055 });
    await onboard('ONBOARDED');
    await expect(send(helloWorld)).rejects.toMatchObject({ kind: 'rejected', code: 134100 });
    await expect(send({ type: 'text', template: undefined, text: { body: 'Hi' } })).rejects.toMatchObject({
      code: 100,
    });
    const wrong = await simulator.graph('POST', `${PHONE_NUMBER_ID}/marketing_messages`, {
      messaging_product: 'whatsapp',
      to: `+${CUSTOMER}`,
      type: 'template',
      template: body.template,
      product_policy: 'SOMETIMES',
    });
    expect(wrong).toMatchObject({ status: 400, body: { error: { code: 100 } } });
    await onboard('ONBOARDED', { failsWith: 134101 });
    await expect(send()).rejects.toMatchObject({ code: 134101 });
    expect(await simulator.control('summary')).toMatchObject({ accepted: 0 });
  });
});
