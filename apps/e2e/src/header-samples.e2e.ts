import { randomUUID } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount, newUser, WABA_ID } from './support/account';
import { type SignedIn, signIn } from './support/console';
import { demo, upstreamToken } from './support/installation';
import { fileOf } from './support/files';
import { freshPhone } from './support/simulator';
import { approved } from './support/templates';

/** Returns the link to the sample that the platform lists. */
async function listedUpstream(name: string): Promise<string> {
  const response = await fetch(`${demo.simulatorUrl}/v24.0/${WABA_ID}/message_templates?name=${name}`, {
    headers: { authorization: `Bearer ${upstreamToken}` },
  });
  const { data } = (await response.json()) as {
    data: [{ components: [{ example: { header_handle: [string] } }] }];
  };
  return data[0].components[0].example.header_handle[0];
}

describe('template with a header image', () => {
  let account: TestAccount;
  let page: SignedIn;

  beforeAll(async () => {
    account = await newAccount('Samples of headers');
    const { email, password } = await newUser(account.accountId, 'admin');
    page = await signIn(email, password);
  }, 90_000);

  it('accepts an image file and sends it in a message', async () => {
    const name = `with_picture_${randomUUID().replaceAll('-', '')}`;
    const file = fileOf('image', 'menu.png');
    const form = new FormData();
    form.set('file', file);
    const { status, body } = await page.call('POST', '/templates/header-samples', form);
    expect([status, body.sample]).toMatchObject([201, { format: 'IMAGE', mimeType: 'image/png', bytes: file.size }]);
    const { id } = body.sample as { id: string };

    const { body: created } = await page.call('POST', '/template-drafts', {
      name,
      language: 'en_US',
      category: 'UTILITY',
      components: [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: [id] } },
        { type: 'BODY', text: 'Your order is ready to be fetched.' },
      ],
    });
    const draft = created.draft as { id: string; faults: object[] };
    expect(draft.faults).toEqual([]);
    expect((await page.call('POST', `/template-drafts/${draft.id}/submit`)).status).toBe(200);
    await eventually(
      async () =>
        expect((await page.call('GET', `/template-drafts/${draft.id}`)).body.draft).toMatchObject({
          state: 'submitted',
        }),
      { timeoutMs: 30_000 },
    );
    await approved(account, [name]);

    const { body: listed } = await page.call('GET', `/templates?name=${name}`);
    const [{ components }] = listed.templates as [{ components: [{ example: { header_handle: [string] } }] }];
    expect(components[0].example.header_handle).toEqual([id]);
    const ofPlatform = await listedUpstream(name);
    const shown = await fetch(ofPlatform);
    expect(Buffer.from(await shown.arrayBuffer()).equals(Buffer.from(await file.arrayBuffer()))).toBe(true);

    // The API has no default file.
    await expect(
      account.api.sendMessage({ to: freshPhone(), type: 'template', template: { name, language: { code: 'en_US' } } }),
    ).rejects.toMatchObject({ code: 'TEMPLATE_PARAMS_MISMATCH' });
    const image = { link: 'https://example.com/menu.png' };
    const sent = await account.api.sendMessage({
      to: freshPhone(),
      type: 'template',
      template: {
        name,
        language: { code: 'en_US' },
        components: [{ type: 'header', parameters: [{ type: 'image', image }] }],
      },
    });
    expect(sent.status).toBe('accepted');
  }, 90_000);
});
