import { useRef } from 'react';
import { api, must, type Schemas } from '../api/client';
import { useChange } from '../kit/data';

export type SendRequest = Schemas['SendMessageRequest'];

/** A message to send: as JSON, or with a file. */
export type Draft =
  | { body: SendRequest }
  | { to: string; from?: string | undefined; type: string; caption?: string | undefined; file: File };

/** @returns 128 random bits; `randomUUID` is there under HTTPS alone */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const nameOf = (draft: Draft): string =>
  'body' in draft
    ? JSON.stringify(draft.body)
    : JSON.stringify([
        draft.to,
        draft.from,
        draft.type,
        draft.caption,
        draft.file.name,
        draft.file.size,
        draft.file.lastModified,
      ]);

function formOf({ to, from, type, caption, file }: Exclude<Draft, { body: SendRequest }>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ to, from, type, caption })) if (value) form.set(name, value);
  form.set('file', file);
  return form;
}

/** Sends a message. The same one sent again, because its answer got lost, is the same message. */
export function useSend({ quiet = true, done }: { quiet?: boolean; done?: string } = {}) {
  const attempt = useRef({ of: '', key: '' });
  return useChange(
    async (draft: Draft) => {
      const of = nameOf(draft);
      if (attempt.current.of !== of) attempt.current = { of, key: randomKey() };
      const params = { header: { 'Idempotency-Key': attempt.current.key } };
      const sent = await must(
        'body' in draft
          ? api.POST('/console/v1/messages/send', { params, body: draft.body })
          : api.POST('/console/v1/messages/send', {
              params,
              body: { to: draft.to, type: 'image', file: '' } as never,
              bodySerializer: () => formOf(draft),
            }),
      );
      // The next one is another, also when it says the same.
      attempt.current = { of: '', key: '' };
      return sent;
    },
    { quiet, ...(done !== undefined && { done }) },
  );
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^image\/(jpeg|png)$/, 'image'],
  [/^video\/(mp4|3gpp)$/, 'video'],
  [/^audio\//, 'audio'],
];

/** @returns as what a file is sent */
export const kindOfFile = ({ type }: File): string => KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'document';
