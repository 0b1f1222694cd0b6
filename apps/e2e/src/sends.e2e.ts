import { createHash, randomUUID } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { demo, upstreamToken } from './support/installation';
import { FILES, fileOf } from './support/files';
import { freshPhone, receivedUpstream, writeIn } from './support/simulator';

const UPSTREAM_ID = /^\d{10,}$/;
const links = {
  image: 'https://example.com/a.png',
  document: 'https://example.com/a.pdf',
  video: 'https://example.com/a.mp4',
  audio: 'https://example.com/a.ogg',
};

interface UpstreamFile {
  mime_type: string;
  sha256: string;
  file_size: string;
}

/** Returns a file as the upstream platform stored it. */
async function fileUpstream(id: unknown): Promise<UpstreamFile> {
  const response = await fetch(`${demo.simulatorUrl}/v24.0/${String(id)}`, {
    headers: { authorization: `Bearer ${upstreamToken}` },
  });
  return (await response.json()) as UpstreamFile;
}

describe('message sent upstream', () => {
  let account: TestAccount;
  let to: string;

  beforeAll(async () => {
    account = await newAccount('Sends');
    to = freshPhone();
    await writeIn(to, 'Hello', { to: account.phoneNumber });
    await eventually(async () =>
      expect((await account.api.listConversations({ windowOpen: true })).conversations).toHaveLength(1),
    );
  }, 60_000);

  /** Sends a message and returns the single upstream request, without the common fields. */
  async function onTheWire(input: Parameters<TestAccount['api']['sendMessage']>[0]): Promise<Record<string, unknown>> {
    const { message_id, id } = await account.api.sendMessage(input);
    const [received] = (await receivedUpstream(to)).filter(({ wamid }) => wamid === message_id);
    if (!received) throw new Error('the upstream platform did not get it');
    const { messaging_product, recipient_type, to: recipient, biz_opaque_callback_data, ...content } = received.body;
    expect({ messaging_product, recipient, biz_opaque_callback_data, count: received.count }).toEqual({
      messaging_product: 'whatsapp',
      recipient: `+${to}`,
      biz_opaque_callback_data: id,
      count: 1,
    });
    expect([undefined, 'individual']).toContain(recipient_type);
    return content;
  }

  const recordOf = async (clientRef: string) =>
    (await account.api.listMessages({ phone: to })).messages.find((message) => message.clientRef === clientRef);

  it('is a text', async () => {
    expect(await onTheWire({ to, type: 'text', text: { body: 'ünïcödé ✓\nsecond line' } })).toEqual({
      type: 'text',
      text: { body: 'ünïcödé ✓\nsecond line' },
    });
  });

  it('is an image by link with a top-level caption', async () => {
    const clientRef = randomUUID();
    const sent = await onTheWire({ to, type: 'image', image: { link: links.image }, caption: 'the Taj', clientRef });
    expect(sent).toEqual({ type: 'image', image: { link: links.image, caption: 'the Taj' } });
    expect(await recordOf(clientRef)).toMatchObject({
      type: 'image',
      image: { link: links.image },
      caption: 'the Taj',
      error: null,
    });
  });

  it('is a document by link with file name and nested caption', async () => {
    const clientRef = randomUUID();
    const sent = await onTheWire({
      to,
      type: 'document',
      document: { link: links.document, filename: 'Invoice 7.pdf', caption: 'your invoice' },
      clientRef,
    });
    expect(sent).toEqual({
      type: 'document',
      document: { link: links.document, filename: 'Invoice 7.pdf', caption: 'your invoice' },
    });
    expect(await recordOf(clientRef)).toMatchObject({
      type: 'document',
      document: { link: links.document, filename: 'Invoice 7.pdf' },
      caption: 'your invoice',
    });
  });

  it('is a video by link', async () => {
    const clientRef = randomUUID();
    expect(await onTheWire({ to, type: 'video', video: { link: links.video }, caption: 'clip', clientRef })).toEqual({
      type: 'video',
      video: { link: links.video, caption: 'clip' },
    });
    expect(await recordOf(clientRef)).toMatchObject({ video: { link: links.video }, caption: 'clip' });
  });

  it('is audio by link', async () => {
    const clientRef = randomUUID();
    expect(await onTheWire({ to, type: 'audio', audio: { link: links.audio }, clientRef })).toEqual({
      type: 'audio',
      audio: { link: links.audio },
    });
    expect(await recordOf(clientRef)).toMatchObject({ audio: { link: links.audio }, caption: null });
  });

  it.each([
    ['image', 'taj.png', { caption: 'the Taj' }, { caption: 'the Taj' }],
    ['document', 'Invoice 7.pdf', { caption: 'your invoice' }, { caption: 'your invoice', filename: 'Invoice 7.pdf' }],
    ['document', 'Rechnung "final" 50%20.pdf', {}, { filename: 'Rechnung "final" 50%20.pdf' }],
    ['video', 'clip.mp4', {}, {}],
    ['audio', 'voice.ogg', {}, {}],
  ] as const)('is %s by upload, then by its platform media id', async (type, name, fields, expected) => {
    const file = fileOf(type, name);
    const clientRef = randomUUID();
    const content = await onTheWire({ to, type, ...fields, clientRef, file });
    expect(content).toEqual({ type, [type]: { id: expect.stringMatching(UPSTREAM_ID), ...expected } });
    const { id } = content[type] as { id: string };
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(await fileUpstream(id)).toMatchObject({
      mime_type: FILES[type].mimeType,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      file_size: String(bytes.length),
    });
    expect(await recordOf(clientRef)).toMatchObject({
      type,
      direction: 'outbound',
      caption: 'caption' in fields ? fields.caption : null,
    });
  });

  it('reuses an upload of the same bytes with another file name', async () => {
    const bytes = new Uint8Array(await fileOf('image', 'x').arrayBuffer());
    const first = await onTheWire({ to, type: 'image', file: new File([bytes], 'a.png') });
    const second = await onTheWire({ to, type: 'image', file: new File([bytes], 'b.png') });
    expect(first).toEqual(second);
  });

  it('comes from the selected number', async () => {
    const { message_id } = await account.api.sendMessage({
      to,
      type: 'text',
      text: { body: 'from there' },
      from: account.phoneNumber,
    });
    expect(
      (await account.api.listMessages({ phone: to })).messages.find((message) => message.message_id === message_id),
    ).toMatchObject({ from: account.phoneNumber });
  });
});
