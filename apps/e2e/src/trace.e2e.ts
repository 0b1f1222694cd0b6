import { randomBytes } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { api } from './support/api';
import { collectorUrl, demo, done } from './support/installation';
import { contactWithOpenWindow } from './support/simulator';

interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: { traceId: string; name: string; links?: { traceId: string }[] }[] }[];
  }[];
}

async function exported(): Promise<Export['resourceSpans']> {
  const exports = (await (await fetch(collectorUrl)).json()) as Export[];
  return exports.flatMap(({ resourceSpans }) => resourceSpans);
}

async function servicesIn(traceId: string): Promise<string[]> {
  const seen = (await exported())
    .filter(({ scopeSpans }) => scopeSpans.some(({ spans }) => spans.some((span) => span.traceId === traceId)))
    .map(({ resource }) => resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '');
  return [...new Set(seen)].sort();
}

it("continues the caller's trace of a send through HTTP and the broker", async () => {
  const to = await contactWithOpenWindow();
  const traceId = randomBytes(16).toString('hex');
  const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
  await api.sendMessage({ to, type: 'text', text: { body: 'traced' } }, { headers });
  await eventually(
    async () =>
      expect(await servicesIn(traceId)).toEqual(
        expect.arrayContaining(['switchboard-gateway', 'switchboard-messaging']),
      ),
    {
      timeoutMs: 60_000,
    },
  );
});

it('follows a message by id to its statuses and linked traces', async () => {
  const to = await contactWithOpenWindow();
  const traceId = randomBytes(16).toString('hex');
  const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
  const { id, message_id } = await api.sendMessage({ to, type: 'text', text: { body: 'followed' } }, { headers });
  const story = await eventually(
    async () => {
      const found = (await done('messages', 'show', id)) as unknown as Story;
      expect(found.message.statuses.map(({ status }) => status)).toContain('delivered');
      return found;
    },
    { timeoutMs: 60_000 },
  );
  expect(story).toMatchObject({
    account: { accountId: demo.accountId },
    message: { id, upstreamId: message_id, traceId },
  });
  expect((await done('messages', 'show', message_id))['message']).toMatchObject({ id });
  expect(JSON.stringify(story)).not.toContain('followed');
  await eventually(
    async () => {
      const spans = (await exported()).flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
      const linked = spans.filter(({ links = [] }) => links.some((link) => link.traceId === traceId));
      expect(linked.map(({ name }) => name.split(' ')[0])).toContain('process');
    },
    { timeoutMs: 60_000 },
  );
});

interface Story {
  message: { statuses: { status: string }[] };
}
