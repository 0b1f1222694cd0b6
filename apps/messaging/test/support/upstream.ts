import { type ReceivedRequest, startReceiver } from '@switchboard/testing';
import type { ServerResponse } from 'node:http';
import { URL } from 'node:url';

/** Behaviour of the upstream platform for the next sends. */
export type SendBehaviour =
  | 'accept'
  | 'hang'
  | 'accept-then-cut'
  | 'fail'
  | 'answer-without-id'
  | 'bad-gateway'
  | { acceptAfterMs: number }
  | { acceptWith: string }
  | { turnAwayWith: number; retryAfter?: string; times?: number }
  | { refuseWith: number; status?: number; subcode?: number; times?: number; details?: string; message?: string };

interface MediaBody {
  id?: string;
  link?: string;
}

export interface TakenSend {
  /** True if the send arrived through the marketing endpoint. */
  isMarketing: boolean;
  /** Internal id in the send. */
  echo: string;
  phoneNumberId: string;
  body: {
    to?: string;
    recipient?: string;
    type: string;
    text?: { body: string };
    template?: object;
    image?: MediaBody;
    document?: MediaBody;
    video?: MediaBody;
    audio?: MediaBody;
    [field: string]: unknown;
  };
}

/** A page of a number's block list, identified by the number of entries before it. */
export interface BlockPage {
  phoneNumberId: string;
  after: number;
}

export interface FakeUpstream {
  url: string;
  /** All sends that arrived, whatever their outcome. */
  sends: TakenSend[];
  /** All read receipts that arrived, whatever their outcome. */
  receipts: { phoneNumberId: string; body: Record<string, unknown> }[];
  /** All uploaded files. The n-th file has the id `media<n>`. */
  uploads: { phoneNumberId: string; name: string; type: string; bytes: number }[];
  /** Block list of each number, as digits or user ids, by the number's upstream id. */
  blocked: Map<string, Set<string>>;
  /** Sets the portfolio that owns every business. If absent, omits it. */
  setPortfolio(portfolioId: string | undefined): void;
  /** All changes of block lists that arrived, whatever their outcome. */
  blockCalls: { method: string; phoneNumberId: string; user: string }[];
  /** Numbers of blocked user ids that the list contains besides the id. */
  phoneOfBlocked: Map<string, string>;
  /** Calls of `/{number}/username`, and its response to the next ones. */
  usernames: { calls: { method: string; body: unknown }[]; answer: { status: number; body: object } };
  /** Runs the work before each page of a block list is returned. If absent, stops doing so. */
  beforeBlockPage(work?: (page: BlockPage) => Promise<void>): void;
  /** Runs before the response to each upload; absent stops it. */
  beforeUpload(work?: () => Promise<void>): void;
  /** Makes the files uploaded so far unknown. */
  forgetMedia(): void;
  /** Rejects the next hanging send after the given work is done. */
  refuseHanging(code: number, work: () => Promise<void>): Promise<void>;
  /** Sets the behaviour for sends. After the given number of rejections (`times`), sends are accepted. */
  behave(behaviour: SendBehaviour): void;
  /** Sets the behaviour for sends to one recipient. If absent, resets it. */
  behaveTo(recipient: string, behaviour?: SendBehaviour): void;
  /** Sets the behaviour for sends through the marketing endpoint. If absent, resets it. */
  behaveAtMarketing(behaviour?: SendBehaviour): void;
  /** Sets the onboarding status of every business for the marketing endpoint. If absent, omits it. */
  onboard(status?: string): void;
  /**
   * Handles GET requests for this path, without the query. If absent, resets it. The default response is the number
   * object.
   */
  serve(path: string, answer?: (request: ReceivedRequest, response: ServerResponse) => void): void;
  /** Paths of all GET requests, with their queries. */
  reads: string[];
  /** Sets the token that can read the number object. */
  accept(token: string): void;
  close(): Promise<void>;
}

/** Returns the upstream id of the n-th send, counted from 1. */
export const wamidOf = (count: number): string => `wamid.OUT${count}`;

/** Starts an HTTP server with the endpoints that messaging calls. */
export async function startUpstream(token: string): Promise<FakeUpstream> {
  const receiver = await startReceiver();
  const sends: TakenSend[] = [];
  const receipts: FakeUpstream['receipts'] = [];
  const reads: string[] = [];
  const blocked: FakeUpstream['blocked'] = new Map();
  const blockCalls: FakeUpstream['blockCalls'] = [];
  const phoneOfBlocked: FakeUpstream['phoneOfBlocked'] = new Map();
  const usernames: FakeUpstream['usernames'] = { calls: [], answer: { status: 200, body: {} } };
  let beforePage: ((page: BlockPage) => Promise<void>) | undefined;
  /** Numbers that were read. They belong to every business account. */
  const shown = new Set<string>();
  const served = new Map<string, (request: ReceivedRequest, response: ServerResponse) => void>();
  const uploads: FakeUpstream['uploads'] = [];
  const treatments = new Map<string, SendBehaviour>();
  const hanging: ((response: ServerResponse) => void)[] = [];
  let knownMediaFrom = 1;
  let behaviour: SendBehaviour = 'accept';
  let accepted = token;
  let atMarketing: SendBehaviour | undefined;
  let onboarding: string | undefined;
  let owner: string | undefined;
  let beforeUpload: (() => Promise<void>) | undefined;
  const knowsMediaOf = ({ body }: TakenSend): boolean =>
    [...JSON.stringify(body).matchAll(/"id":"media(\d+)"/g)].every(([, count]) => Number(count) >= knownMediaFrom);
  receiver.respondWith((request, response) => {
    if (request.headers.authorization !== `Bearer ${accepted}`) return writeJson(response, 401, errorBody(190));
    const phoneNumberId = new URL(request.path, receiver.url).pathname.split('/')[2] ?? '';
    if (request.path.endsWith('/username')) {
      const body: unknown = request.body.length > 0 ? JSON.parse(request.body.toString()) : undefined;
      usernames.calls.push({ method: request.method, body });
      return writeJson(response, usernames.answer.status, usernames.answer.body);
    }
    if (request.path.includes('/block_users')) {
      const people = blocked.get(phoneNumberId) ?? new Set<string>();
      blocked.set(phoneNumberId, people);
      if (request.method === 'GET') {
        reads.push(request.path);
        return void (async () => {
          const after = Number(new URL(request.path, receiver.url).searchParams.get('after') ?? 0);
          await beforePage?.({ phoneNumberId, after });
          writeJson(response, 200, blockPage(people, after, phoneOfBlocked));
        })();
      }
      const { block_users: users } = JSON.parse(request.body.toString()) as {
        block_users: { user?: string; user_id?: string }[];
      };
      const user = users[0]?.user ?? users[0]?.user_id ?? '';
      const blockedName = user.replace('+', '');
      blockCalls.push({ method: request.method, phoneNumberId, user });
      if (behaviour === 'hang') return undefined;
      if (typeof behaviour === 'object' && 'refuseWith' in behaviour)
        return writeJson(response, 400, failedBlock(user, behaviour.refuseWith));
      if (request.method === 'POST') people.add(blockedName);
      else people.delete(blockedName);
      if (behaviour === 'accept-then-cut') return void response.destroy();
      const list = request.method === 'POST' ? 'added_users' : 'removed_users';
      return writeJson(response, 200, {
        messaging_product: 'whatsapp',
        block_users: { [list]: [{ input: user, ...blockedUser(blockedName) }] },
      });
    }
    if (request.method === 'GET') {
      reads.push(request.path);
      const { pathname } = new URL(request.path, receiver.url);
      if (request.path.includes('marketing_messages_onboarding_status'))
        return writeJson(response, 200, { id: phoneNumberId, marketing_messages_onboarding_status: onboarding });
      if (request.path.includes('owner_business_info'))
        return writeJson(response, 200, { id: phoneNumberId, ...(owner && { owner_business_info: { id: owner } }) });
      const answer = served.get(pathname);
      if (answer) return answer(request, response);
      if (pathname.endsWith('/phone_numbers')) return writeJson(response, 200, { data: [...shown].map(numberObject) });
      shown.add(phoneNumberId);
      return writeJson(response, 200, numberObject(phoneNumberId));
    }
    if (request.path.endsWith('/media')) {
      if (typeof behaviour === 'object' && 'refuseWith' in behaviour) return refuse(response, behaviour);
      return void takenUpload(phoneNumberId, request).then(async (upload) => {
        await beforeUpload?.();
        writeJson(response, 200, { id: `media${uploads.push(upload)}` });
      });
    }
    const send = takenSend(phoneNumberId, request);
    if ('status' in send.body) {
      receipts.push({ phoneNumberId, body: send.body });
      if (behaviour === 'hang') return undefined;
      if (behaviour === 'accept-then-cut') return void response.destroy();
      if (typeof behaviour === 'object' && 'refuseWith' in behaviour) return refuse(response, behaviour);
      return writeJson(response, 200, { success: true });
    }
    sends.push(send);
    const recipient = (send.body.to ?? send.body.recipient ?? '').replace('+', '');
    const treatment = (isMarketing(request) ? atMarketing : undefined) ?? treatments.get(recipient);
    const treated = treatment ?? behaviour;
    if (treated === 'hang') return void hanging.splice(0).forEach((take) => take(response));
    if (treated === 'accept-then-cut') return void response.destroy();
    if (treated === 'fail') return void response.writeHead(503).end('<html>');
    if (treated === 'bad-gateway') return void response.writeHead(502).end('<html>');
    if (treated === 'answer-without-id') return writeJson(response, 200, { messages: [] });
    if (typeof treated === 'object' && 'acceptWith' in treated)
      return accept(response, sends.length, treated.acceptWith);
    if (typeof treated === 'object' && 'acceptAfterMs' in treated)
      return void setTimeout(accept, treated.acceptAfterMs, response, sends.length);
    if (typeof treated === 'object') {
      if (!treatment && treated.times !== undefined)
        behaviour = treated.times > 1 ? { ...treated, times: treated.times - 1 } : 'accept';
      if ('turnAwayWith' in treated) return turnAway(response, treated);
      return refuse(response, treated);
    }
    if (!knowsMediaOf(send)) return writeJson(response, 400, errorBody(100, { subcode: 2494009 }));
    return accept(response, sends.length);
  });
  return {
    url: receiver.url,
    sends,
    receipts,
    blocked,
    blockCalls,
    phoneOfBlocked,
    usernames,
    beforeBlockPage: (work) => (beforePage = work),
    uploads,
    beforeUpload: (work) => (beforeUpload = work),
    refuseHanging: async (code, work) => {
      const response = await new Promise<ServerResponse>((resolve) => hanging.push(resolve));
      await work();
      writeJson(response, 401, errorBody(code));
    },
    forgetMedia: () => (knownMediaFrom = uploads.length + 1),
    reads,
    serve: (path, answer) => void (answer ? served.set(path, answer) : served.delete(path)),
    behave: (next) => (behaviour = next),
    behaveTo: (recipient, next) => void (next ? treatments.set(recipient, next) : treatments.delete(recipient)),
    behaveAtMarketing: (next) => void (atMarketing = next),
    setPortfolio: (portfolioId) => void (owner = portfolioId),
    onboard: (status) => void (onboarding = status),
    accept: (next) => (accepted = next),
    close: receiver.close,
  };
}

/** Returns a page of at most two entries, so that even a short list has several pages. */
function blockPage(people: ReadonlySet<string>, after: number, phones: ReadonlyMap<string, string>): object {
  const shown = [...people].slice(after, after + 2);
  return {
    data: shown.map((name) => ({
      messaging_product: 'whatsapp',
      ...blockedUser(name),
      ...(phones.has(name) && { wa_id: phones.get(name) }),
    })),
    ...(shown.length > 0 && { paging: { cursors: { before: 'x', after: String(after + shown.length) } } }),
  };
}

const blockedUser = (name: string): object => (name.includes('.') ? { user_id: name } : { wa_id: name });

/** Returns the platform's response if the only contact in the request failed. */
const failedBlock = (user: string, code: number): object => ({
  messaging_product: 'whatsapp',
  block_users: {
    added_users: [],
    failed_users: [
      { input: user, wa_id: user.slice(1), errors: [{ message: `(#${code})`, code, error_data: { details: 'why' } }] },
    ],
  },
  ...errorBody(139100),
});

function accept(response: ServerResponse, count: number, messageStatus?: string): void {
  const message = { id: wamidOf(count), ...(messageStatus !== undefined && { message_status: messageStatus }) };
  writeJson(response, 200, { messaging_product: 'whatsapp', messages: [message] });
}

function refuse(
  response: ServerResponse,
  { refuseWith, status = 400, subcode, details, message }: Extract<SendBehaviour, { refuseWith: number }>,
): void {
  writeJson(response, status, errorBody(refuseWith, { subcode, details, message }));
}

/** Responds like a proxy in front of the platform. */
function turnAway(
  response: ServerResponse,
  { turnAwayWith, retryAfter }: Extract<SendBehaviour, { turnAwayWith: number }>,
): void {
  response.writeHead(turnAwayWith, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('<html>');
}

async function takenUpload(
  phoneNumberId: string,
  { body, headers }: ReceivedRequest,
): Promise<FakeUpstream['uploads'][number]> {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': String(headers['content-type']) },
  }).formData();
  const { name, type, size: bytes } = form.get('file') as File;
  return { phoneNumberId, name, type, bytes };
}

const isMarketing = ({ path }: ReceivedRequest): boolean => path.endsWith('/marketing_messages');

function takenSend(phoneNumberId: string, request: ReceivedRequest): TakenSend {
  const parsed = JSON.parse(request.body.toString()) as TakenSend['body'] & { biz_opaque_callback_data: string };
  return {
    echo: parsed.biz_opaque_callback_data,
    phoneNumberId,
    body: parsed,
    isMarketing: isMarketing(request),
  };
}

export const numberObject = (id: string): object => ({
  id,
  display_phone_number: '+1 555-078-3881',
  verified_name: 'Demo',
  quality_rating: 'GREEN',
  status: 'CONNECTED',
  whatsapp_business_manager_messaging_limit: 'TIER_10K',
});

export const errorBody = (
  code: number,
  { subcode, details, message = `(#${code})` }: { subcode?: number; details?: string; message?: string } = {},
): object => ({
  error: {
    message,
    type: 'OAuthException',
    code,
    error_subcode: subcode,
    error_data: details && { details },
  },
});

export function writeJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
