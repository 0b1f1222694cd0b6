import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { AppError } from '@switchboard/contracts';

/** Limits of form fields other than the file, above the needs of all forms. */
const LIMITS = {
  fields: 32,
  fieldNameSize: 128,
  fieldSize: 65_536,
  files: 1,
  parts: 64,
  headerPairs: 32,
  headerSize: 16_384,
};
/** Time to drain a rejected body, in milliseconds. Many senders read the response only after sending everything. */
const REST_MS = 5_000;
const CUT_OFF = 'it ended before it was complete';
/** Replacement character that the parser inserts for invalid UTF-8. Valid form texts do not need it. */
const REPLACED = '\uFFFD';

/** File of a form while it arrives. */
export interface FormFile {
  /** Name of the form field; undefined for a part without a name, in which case the form is rejected. */
  field: string | undefined;
  /** File name without a path; undefined if the sender gave none. */
  filename: string | undefined;
  content: Readable;
  /** Fields that precede the file. */
  fields: ReadonlyMap<string, string>;
}

export interface Form<T> {
  fields: ReadonlyMap<string, string>;
  /** Result of `takeFile`; undefined for a form without a file. */
  file: T | undefined;
}

export interface FormOptions<T> {
  /** Reads the whole file. If the promise rejects, reading stops and the whole form is rejected. */
  takeFile(file: FormFile): Promise<T>;
  /** Deadline for the whole form, in milliseconds. */
  deadlineMs: number;
}

/** Checks for a request body that is a form with files. */
export function isForm({ headers }: { headers: IncomingMessage['headers'] }): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '');
}

/** @throws AppError UNSUPPORTED_MEDIA_TYPE for a body that is no form */
export function requireForm(request: Parameters<typeof isForm>[0]): void {
  if (isForm(request)) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
    message: 'this content type is not supported: send multipart/form-data',
  });
}

/**
 * Reads a form with fields and at most one file, in any order. Buffers at most one chunk of the file. `takeFile` has
 * always settled when this rejects.
 * @throws AppError INVALID_PARAMETER for an invalid form, and errors of `takeFile`
 */
export async function readForm<T>(request: IncomingMessage, options: FormOptions<T>): Promise<Form<T>> {
  return new FormReading(request, options).read();
}

class FormReading<T> {
  private readonly fields = new Map<string, string>();
  private readonly parser: BusboyInstance;
  private content?: Readable;
  private taken?: Promise<T>;
  private end!: { resolve(form: Form<T>): void; reject(error: unknown): void };
  private stopped = false;

  constructor(
    private readonly request: IncomingMessage,
    private readonly options: FormOptions<T>,
  ) {
    this.parser = parserOf(request);
  }

  async read(): Promise<Form<T>> {
    const { request, parser } = this;
    // A destroyed request emits no more events.
    if (request.destroyed) throw refusal(CUT_OFF);
    const deadline = setTimeout(() => void this.stop(refusal('it did not arrive in time')), this.options.deadlineMs);
    const onClose = (): void => void (request.complete || this.stop(refusal(CUT_OFF)));
    request.once('close', onClose);
    try {
      return await new Promise<Form<T>>((resolve, reject) => {
        this.end = { resolve, reject };
        parser.on('field', (name, value, _nameCut, valueCut) =>
          this.guard(() => this.takeField(name, value, valueCut)),
        );
        parser.on('file', (field, content, filename) =>
          this.guard(() => this.takeFile({ field, content, filename: unescapedName(filename), fields: this.fields })),
        );
        parser.on('filesLimit', () => void this.stop(refusal('it has more than one file')));
        parser.on('fieldsLimit', () => void this.stop(refusal('it has too many fields')));
        parser.on('partsLimit', () => void this.stop(refusal('it has too many parts')));
        parser.on('error', (error) => void this.stop(refusal('it is malformed', error)));
        parser.on('finish', () => void this.finish());
        request.pipe(parser);
      });
    } finally {
      clearTimeout(deadline);
      request.off('close', onClose);
    }
  }

  /** Converts an error in a parser listener to a rejection of the form. Uncaught, it would end the process. */
  private guard(take: () => void): void {
    try {
      take();
    } catch (error) {
      void this.stop(error);
    }
  }

  /** @param name name of the field; undefined for a part without a name, contrary to the parser's types */
  private takeField(name: string | undefined, value: string, isCut: boolean): void {
    if (name === undefined) return void this.stop(refusal('one of its parts has no name'));
    if (isCut) return void this.stop(refusal(`the field ${name} is too long`));
    if (name.includes(REPLACED) || value.includes(REPLACED))
      return void this.stop(refusal(`the field ${name} is not valid UTF-8`));
    if (this.fields.has(name)) return void this.stop(refusal(`the field ${name} is there twice`));
    this.fields.set(name, value);
  }

  private takeFile(file: FormFile): void {
    this.content = file.content;
    if (file.field === undefined) void this.stop(refusal('one of its parts has no name'));
    // The parser also emits errors of a malformed body on the file. An unhandled error would end the process.
    file.content.on('error', (error) => void this.stop(refusal('it is malformed', error)));
    if (file.filename?.includes(REPLACED)) void this.stop(refusal('the name of its file is not valid UTF-8'));
    if (this.stopped) return void file.content.resume();
    this.taken = this.options.takeFile(file);
    this.taken.catch((error: unknown) => this.stop(error));
  }

  private async finish(): Promise<void> {
    // A failed file has already stopped the reading with its own error.
    const file = await this.taken?.catch(() => undefined);
    if (!this.stopped) this.end.resolve({ fields: this.fields, file });
  }

  private async stop(error: unknown): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    this.request.unpipe(this.parser);
    discardRest(this.request);
    this.content?.destroy(error instanceof Error ? error : new Error('the form was refused', { cause: error }));
    // Prefers the error of `takeFile`, which breaks the stream and thereby causes a parser error.
    this.end.reject(
      await (this.taken ?? Promise.reject(error)).then(
        () => error,
        (reason: unknown) => reason,
      ),
    );
  }
}

const ESCAPED_IN_NAMES: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/** Decodes the characters that browsers escape in a file name (WHATWG HTML, multipart/form-data). */
function unescapedName(filename: string | undefined): string | undefined {
  return filename?.replace(/%(?:22|0D|0A)/gi, (escaped) => ESCAPED_IN_NAMES[escaped.toUpperCase()] ?? escaped);
}

function parserOf({ headers }: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits: LIMITS });
  } catch (error) {
    throw refusal('it names no boundary', error);
  }
}

function refusal(reason: string, cause?: unknown): AppError {
  return new AppError('INVALID_PARAMETER', { message: `the form cannot be read: ${reason}`, cause });
}

/** Drains the rest of a body. Disconnects a sender that takes too long. */
export function discardRest(request: IncomingMessage): void {
  request.resume();
  if (request.complete) return;
  const timer = setTimeout(() => request.destroy(), REST_MS);
  request.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
}
