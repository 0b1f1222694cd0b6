import { ApiError, csrfHeader, isLetInAgain, type Schemas, toApiError } from './client';

interface UploadOptions {
  /** Receives the uploaded fraction, from 0 to 1. */
  onProgress(part: number): void;
  signal: AbortSignal;
}

const ROUTE = '/console/v1/templates/header-samples';

/**
 * Uploads the sample file of a header. Uses XMLHttpRequest, because fetch does not report upload progress.
 * @throws ApiError for an error response; DOMException AbortError when aborted
 */
export async function uploadHeaderSample(file: File, options: UploadOptions): Promise<Schemas['HeaderSample']> {
  const [, sentWith] = csrfHeader();
  const first = await send(file, options);
  const { status } = first;
  const { code } = parsed(first.responseText);
  const isRepeated = status !== 201 && (await isLetInAgain({ status, code, sentWith }));
  return sampleOf(isRepeated ? await send(file, options) : first);
}

function sampleOf(request: XMLHttpRequest): Schemas['HeaderSample'] {
  const body = parsed(request.responseText);
  if (request.status === 201 && body.sample) return body.sample;
  const headers = new Headers(
    ['x-request-id', 'retry-after'].flatMap((name): [string, string][] => {
      const value = request.getResponseHeader(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  throw toApiError(body, { status: request.status, headers });
}

function parsed(text: string): { code?: unknown; sample?: Schemas['HeaderSample'] } {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}

function send(file: File, { onProgress, signal }: UploadOptions): Promise<XMLHttpRequest> {
  const request = new XMLHttpRequest();
  const form = new FormData();
  form.set('file', file);
  return new Promise((resolve, reject) => {
    const giveUp = (): void => request.abort();
    if (signal.aborted) return reject(new DOMException('The upload was cancelled.', 'AbortError'));
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => resolve(request);
    request.onerror = () =>
      reject(new ApiError('UNREACHABLE', 'The upload failed. Check your connection, then choose the file again.'));
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    request.onloadend = () => signal.removeEventListener('abort', giveUp);
    signal.addEventListener('abort', giveUp);
    request.open('POST', ROUTE);
    request.setRequestHeader(...csrfHeader());
    request.send(form);
  });
}
