import { type Answer, exchange, type PlatformConnection } from './exchange';
import { readAs } from './answers';
import type { UpstreamCall } from './client';
import type { UpstreamErrorEnvelope, UpstreamPage } from './types';
import { rejected } from './upstream-error';

export interface ChangeBlockCall extends UpstreamCall {
  phoneNumberId: string;
  /** E.164 without plus. */
  phone: string;
}

export interface ListBlockedCall extends UpstreamCall {
  phoneNumberId: string;
  /** Cursor of the page before. */
  after?: string;
  limit?: number;
}

export interface BlockedPage {
  /** The people's numbers as the platform writes them. Somebody whom it names by a user id alone is left out. */
  phones: string[];
  /** Cursor of the next page; absent on the last one. */
  after?: string;
}

/** Who may not write to a number: the platform holds the list (ADR 50). */
export interface BlockListCalls {
  /** Blocks a person. To do it twice changes nothing. */
  block(call: ChangeBlockCall): Promise<void>;
  /** Unblocks a person, who may be unblocked already. */
  unblock(call: ChangeBlockCall): Promise<void>;
  /** One page of the blocked people. */
  listBlocked(call: ListBlockedCall): Promise<BlockedPage>;
}

/** The platform's own default is 25. */
const DEFAULT_LIMIT = 100;

interface FailedUser {
  errors?: Partial<UpstreamErrorEnvelope['error']>[];
}
interface BlockAnswer {
  block_users: { added_users?: object[]; removed_users?: object[]; failed_users?: FailedUser[] };
}

/** @param timeoutMs of a call that names none */
export function blockListCalls(over: PlatformConnection, root: string, timeoutMs: number): BlockListCalls {
  const pathOf = (phoneNumberId: string): string => `${root}/${encodeURIComponent(phoneNumberId)}/block_users`;
  const change = async (method: 'POST' | 'DELETE', { phoneNumberId, phone, ...call }: ChangeBlockCall): Promise<void> =>
    readChange(
      await exchange(over, {
        timeoutMs,
        ...call,
        path: pathOf(phoneNumberId),
        method,
        body: {
          contentType: 'application/json',
          content: JSON.stringify({ messaging_product: 'whatsapp', block_users: [{ user: `+${phone}` }] }),
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

/**
 * The result of the one person that was named. The platform answers each person by themselves, and the call with a code
 * that says only that some failed: the person's own error is the one that says why.
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
    // Some answers write the code as a text.
    const code = Number(error?.code);
    return error && Number.isSafeInteger(code) ? { ...(error as UpstreamErrorEnvelope['error']), code } : undefined;
  } catch {
    return undefined; // no JSON: read as any other answer
  }
}

function readBlocked(answer: Answer): BlockedPage {
  const page = readAs<UpstreamPage<{ wa_id?: unknown }>>(answer, ({ data }) => Array.isArray(data));
  const phones = page.data.flatMap(({ wa_id: waId }) => (typeof waId === 'string' ? [waId] : []));
  // The platform may give fewer than it was asked for, and names no `next`: only an empty page is surely the last one.
  return { phones, after: page.data.length > 0 ? page.paging?.cursors?.after : undefined };
}
