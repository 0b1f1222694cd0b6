import { useRef } from 'react';
import { AttemptKey } from '../../api/attempt-key';
import { api, must, type Schemas } from '../../api/client';
import { useChange } from '../../hooks/queries';

export type SendRequest = Schemas['SendMessageRequest'];

/** Message to send, as JSON or with a file. */
export type Draft =
  | {
      body: SendRequest;
      /** Completes the body just before it is sent, such as with an uploaded file. */
      complete?: () => Promise<SendRequest>;
    }
  | {
      to: string;
      from?: string | undefined;
      type: string;
      caption?: string | undefined;
      /** `true` for a voice message. */
      voice?: 'true' | undefined;
      /** Internal ID of the message it replies to. */
      answers?: string | undefined;
      file: File;
    };

/** Returns the content that distinguishes one draft from another. A file is identified by its browser metadata. */
function contentOf(draft: Draft): object {
  if ('body' in draft) return draft.body;
  const { file, ...rest } = draft;
  return { ...rest, file: [file.name, file.size, file.lastModified] };
}

function formOf({ to, from, type, caption, voice, answers, file }: Exclude<Draft, { body: SendRequest }>): FormData {
  const form = new FormData();
  const context = answers && JSON.stringify({ messageId: answers });
  for (const [name, value] of Object.entries({ to, from, type, caption, voice, context }))
    if (value) form.set(name, value);
  form.set('file', file);
  return form;
}

/**
 * Sends a message. A retry after a lost response sends the same message, not a second one.
 * @param options.attempt key of a message that outlives the component
 */
export function useSend({
  quiet = true,
  done,
  attempt,
}: {
  quiet?: boolean;
  done?: string;
  attempt?: AttemptKey;
} = {}) {
  const own = useRef(new AttemptKey());
  return useChange(
    (draft: Draft) =>
      (attempt ?? own.current).of(contentOf(draft), async (key) => {
        const params = { header: { 'Idempotency-Key': key } };
        return must(
          'body' in draft
            ? api.POST('/console/v1/messages/send', { params, body: (await draft.complete?.()) ?? draft.body })
            : api.POST('/console/v1/messages/send', {
                params,
                body: { to: draft.to, type: 'image', file: '' } as never,
                bodySerializer: () => formOf(draft),
              }),
        );
      }),
    { quiet, ...(done !== undefined && { done }) },
  );
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^image\/(jpeg|png)$/, 'image'],
  [/^image\/webp$/, 'sticker'],
  [/^video\/(mp4|3gpp)$/, 'video'],
  [/^audio\//, 'audio'],
];

/** Returns whether the file may be a voice message, which must be Ogg with Opus. */
export const mayBeVoice = ({ type }: File): boolean => /^audio\/ogg\b/.test(type);

export const kindOfFile = ({ type }: File): string => KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'document';
