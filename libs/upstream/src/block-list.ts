import { isUserId } from '@switchboard/contracts';
import { type Answer, exchange, type PlatformConnection } from './exchange';
import { readAs } from './responses';
import type { UpstreamCall } from './client';
import type { UpstreamErrorEnvelope, UpstreamPage } from './types';
import { rejected } from './upstream-error';

export interface ChangeBlockCall extends UpstreamCall {
  phoneNumberId: string;
  /** Phone number (E.164 without plus) or user id. */
  person: string;
}

export interface ListBlockedCall extends UpstreamCall {
  phoneNumberId: string;
  /** Cursor of the previous page. */
  after?: string;
  limit?: number;
}

/** Entry of a block list, with at least one of the two. */
export interface BlockedUser {
  /** In the platform's format. */
  phone?: string;
  userId?: string;
}

export interface BlockedPage {
  people: BlockedUser[];
  /** Cursor of the next page; absent on the last one. */
  after?: string;
}

/** Calls for the block list of a number, which the platform stores (ADR 50). */
export interface BlockListCalls {
  /** Idempotent. */
  block(call: ChangeBlockCall): Promise<void>;
  /** Idempotent. */
  unblock(call: ChangeBlockCall): Promise<void>;
  listBlocked(call: ListBlockedCall): Promise<BlockedPage>;
}

/** Page size. The platform's default is 25. */
const DEFAULT_LIMIT = 100;

interface FailedUser {
  errors?: Partial<UpstreamErrorEnvelope['error']>[];
}
interface BlockAnswer {
  block_users: { added_users?: object[]; removed_users?: object[]; failed_users?: FailedUser[] };
}

/** @param timeoutMs default deadline of a call */
export function blockListCalls(over: PlatformConnection, root: string, timeoutMs: number): BlockListCalls {
  const pathOf = (phoneNumberId: string): string => `${root}/${encodeURIComponent(phoneNumberId)}/block_users`;
  const change = async (
    method: 'POST' | 'DELETE',
    { phoneNumberId, person, ...call }: ChangeBlockCall,
  ): Promise<void> =>
    readChange(
      await exchange(over, {
        timeoutMs,
        ...call,
        path: pathOf(phoneNumberId),
        method,
        body: {
          contentType: 'application/json',
          content: JSON.stringify({ messaging_product: 'whatsapp', block_users: [userOf(person)] }),
        },
      }),
    );
  return {
    block: (call) => change('POST', call),
    unblock: (call) => change('DELETE', call),
    async listBlocked({ phoneNumberId, after, limit = DEFAULT_LIMIT, ...call }) {
      const query = new URLSearchParams({ limit: String(limit), ...(after !== undefined && { after }) });
      return readBlocked(await exchange(over, { timeoutMs, ...call, path: `${pathOf(phoneNumberId)}?${query}` }));
    },
  };
}

const userOf = (person: string): object => (isUserId(person) ? { user_id: person } : { user: `+${person}` });

/**
 * Reads the result for the single contact of the call. The platform reports each contact separately, and the error code
 * of the call itself only says that some failed. The contact's own error has the reason.
 */
function readChange(answer: Answer): void {
  const failure = ownFailure(answer.text);
  if (failure) throw rejected({ error: failure }, { httpStatus: answer.httpStatus });
  readAs<BlockAnswer>(
    answer,
    ({ block_users: users }) => (users?.added_users ?? users?.removed_users ?? []).length > 0,
  );
}

function ownFailure(text: string): UpstreamErrorEnvelope['error'] | undefined {
  try {
    const error = (JSON.parse(text) as Partial<BlockAnswer> | null)?.block_users?.failed_users?.[0]?.errors?.[0];
    // Some responses contain the code as a string.
    const code = Number(error?.code);
    return error && Number.isSafeInteger(code) ? { ...(error as UpstreamErrorEnvelope['error']), code } : undefined;
  } catch {
    return undefined; // Not JSON: handle it like any other response.
  }
}

function readBlocked(answer: Answer): BlockedPage {
  const page = readAs<UpstreamPage<{ wa_id?: unknown; user_id?: unknown }>>(answer, ({ data }) => Array.isArray(data));
  const people = page.data.map(({ wa_id: phone, user_id: userId }) => ({
    ...(typeof phone === 'string' && { phone }),
    ...(typeof userId === 'string' && { userId }),
  }));
  // Pages may be short and have no `next` link, so only an empty page is certain to be the last.
  return { people, after: page.data.length > 0 ? page.paging?.cursors?.after : undefined };
}
