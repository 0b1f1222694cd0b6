import { type ReceivedRequest, startReceiver } from '@switchboard/testing';
import type { ServerResponse } from 'node:http';
import { URL } from 'node:url';

/** How the upstream platform treats the next sends. */
export type SendBehaviour = 'accept' | 'hang' | 'accept-then-cut' | { refuseWith: number; status?: number; subcode?: number };

export interface TakenSend {
  /** Our id, as the send carried it. */
  echo: string;
  phoneNumberId: string;
  body: { to: string; type: string; text?: { body: string }; template?: object };
}

export interface FakeUpstream {
  url: string;
  /** Every send that arrived, whatever became of it. */
  sends: TakenSend[];
  behave(behaviour: SendBehaviour): void;
  /** The token the number object is shown for. */
  accept(token: string): void;
  close(): Promise<void>;
}

/** The upstream identifier given to the n-th send, counted from 1. */
export const wamidOf = (count: number): string => `wamid.OUT${count}`;

/** A real HTTP server with the two calls messaging makes. */
export async function startUpstream(token: string): Promise<FakeUpstream> {
  const receiver = await startReceiver();
  const sends: TakenSend[] = [];
  let behaviour: SendBehaviour = 'accept';
  let accepted = token;
  receiver.respondWith((request, response) => {
    if (request.headers.authorization !== `Bearer ${accepted}`) return writeJson(response, 401, errorBody(190));
    const phoneNumberId = new URL(request.path, receiver.url).pathname.split('/')[2] ?? '';
    if (request.method === 'GET') return writeJson(response, 200, numberObject(phoneNumberId));
    sends.push(takenSend(phoneNumberId, request));
    if (behaviour === 'hang') return undefined;
    if (behaviour === 'accept-then-cut') return void response.destroy();
    if (typeof behaviour === 'object') return writeJson(response, behaviour.status ?? 400, errorBody(behaviour.refuseWith, behaviour.subcode));
    return writeJson(response, 200, { messaging_product: 'whatsapp', messages: [{ id: wamidOf(sends.length) }] });
  });
  return {
    url: receiver.url,
    sends,
    behave: (next) => (behaviour = next),
    accept: (next) => (accepted = next),
    close: receiver.close,
  };
}

function takenSend(phoneNumberId: string, { body }: ReceivedRequest): TakenSend {
  const parsed = JSON.parse(body.toString()) as TakenSend['body'] & { biz_opaque_callback_data: string };
  return { echo: parsed.biz_opaque_callback_data, phoneNumberId, body: parsed };
}

const numberObject = (id: string): object => ({
  id,
  display_phone_number: '+1 555-078-3881',
  quality_rating: 'GREEN',
  status: 'CONNECTED',
  whatsapp_business_manager_messaging_limit: 'TIER_10K',
});

const errorBody = (code: number, subcode?: number): object => ({ error: { message: `(#${code})`, type: 'OAuthException', code, error_subcode: subcode } });

function writeJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
