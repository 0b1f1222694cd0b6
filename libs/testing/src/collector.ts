import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportSpansSoon } from './environment';

export interface ExportedSpan {
  name: string;
  /** OTLP number: 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, unknown>;
  links: string[];
}

export interface TraceCollector {
  url: string;
  spans: ExportedSpan[];
  close(): Promise<void>;
}

/** Starts an OTLP/HTTP collector on 127.0.0.1 that keeps all spans in memory. */
export async function startCollector(): Promise<TraceCollector> {
  exportSpansSoon();
  const spans: ExportedSpan[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request
      .on('data', (chunk: Buffer) => (text += chunk.toString()))
      .on('end', () => {
        spans.push(...spansOf(text));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface ExportedAttribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}

interface ExportBody {
  resourceSpans: {
    scopeSpans: {
      spans: (Omit<ExportedSpan, 'attributes' | 'links'> & {
        attributes?: ExportedAttribute[];
        links?: { traceId: string }[];
      })[];
    }[];
  }[];
}

function spansOf(text: string): ExportedSpan[] {
  return (JSON.parse(text) as ExportBody).resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ name, kind, traceId, spanId, parentSpanId, attributes = [], links = [] }) => ({
      name,
      kind,
      traceId,
      spanId,
      parentSpanId,
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue])),
      links: links.map((link) => link.traceId),
    }));
}
