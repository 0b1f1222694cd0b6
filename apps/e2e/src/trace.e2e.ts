import { randomBytes } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { api } from './support/api';
import { collectorUrl } from './support/installation';
import { contactWithOpenWindow } from './support/simulator';

interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: { traceId: string; name: string }[] }[];
  }[];
}

/** The services that recorded a span of this trace. */
async function servicesIn(traceId: string): Promise<string[]> {
  const exports = (await (await fetch(collectorUrl)).json()) as Export[];
  const seen = exports
    .flatMap(({ resourceSpans }) => resourceSpans)
    .filter(({ scopeSpans }) => scopeSpans.some(({ spans }) => spans.some((span) => span.traceId === traceId)))
    .map(({ resource }) => resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '');
  return [...new Set(seen)].sort();
}

it("the caller's trace follows a send through HTTP and the broker", async () => {
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
