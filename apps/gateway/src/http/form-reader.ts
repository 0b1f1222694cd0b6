import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { AppError } from '@switchboard/contracts';

/** No form of ours has so many or so long fields; the file is not among them. */
const LIMITS = {
  fields: 32,
  fieldNameSize: 128,
  fieldSize: 65_536,
  files: 1,
  parts: 64,
  headerPairs: 32,
  headerSize: 16_384,
};
/** How long the rest of a refused body may still flow: a sender reads its answer only when it has sent, or given up. */
const REST_MS = 5_000;
const CUT_OFF = 'it ended before it was complete';
/** What the parser makes of bytes that are no UTF-8. No text of a form needs the character itself. */
const REPLACED = '\uFFFD';

/** The file of a form, while it arrives. */
export interface FormFile {
  /** Undefined of a part that has no name; such a form is refused. */
  field: string | undefined;
  /** Without a path; undefined when the sender gave none. */
  filename: string | undefined;
  content: Readable;
  /** The fields that stood before the file. */
  fields: ReadonlyMap<string, string>;
}

export interface Form<T> {
  fields: ReadonlyMap<string, string>;
  /** What `takeFile` made of the file; undefined when there was none. */
  file: T | undefined;
}

export interface FormOptions<T> {
  /** Takes the file to its end; its rejection ends the reading and refuses the form. */
  takeFile(file: FormFile): Promise<T>;
  /** The whole form must have come after this, in milliseconds. */
  deadlineMs: number;
}

/** Whether the request's body is a form with files. */
export function isForm({ headers }: { headers: IncomingMessage['headers'] }): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '');
}

/**
 * Reads a form with fields and at most one file, in any order, and holds no more of the file than a chunk.
 * When it rejects `takeFile` has ended, too.
 * @throws AppError INVALID_PARAMETER for a body that is no such form, and whatever `takeFile` rejects with
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
    // Nothing more comes of it, not even an event.
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

  /** An error that leaves a listener of the parser would end the process: it refuses the form instead. */
  private guard(take: () => void): void {
    try {
      take();
    } catch (error) {
      void this.stop(error);
    }
  }

  /** @param name undefined of a part that has none, whatever the parser's types say */
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
    // The parser tells a broken body here, too, and an error that nobody hears ends the process.
    file.content.on('error', (error) => void this.stop(refusal('it is malformed', error)));
    if (file.filename?.includes(REPLACED)) void this.stop(refusal('the name of its file is not valid UTF-8'));
    if (this.stopped) return void file.content.resume();
    this.taken = this.options.takeFile(file);
    this.taken.catch((error: unknown) => this.stop(error));
  }

  private async finish(): Promise<void> {
    // A rejection has stopped the reading already, with its own error.
    const file = await this.taken?.catch(() => undefined);
    if (!this.stopped) this.end.resolve({ fields: this.fields, file });
  }

  private async stop(error: unknown): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    this.request.unpipe(this.parser);
    discardRest(this.request);
    this.content?.destroy(error instanceof Error ? error : new Error('the form was refused', { cause: error }));
    // What the taker says comes first: its refusal breaks the stream, and the parser then complains about that.
    this.end.reject(
      await (this.taken ?? Promise.reject(error)).then(
        () => error,
        (reason: unknown) => reason,
      ),
    );
  }
}

const ESCAPED_IN_NAMES: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/** Browsers escape these characters in the name of a file, and no other ones (WHATWG HTML, multipart/form-data). */
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

/** Lets what is left of a body run out; who goes on sending for too long loses the connection. */
export function discardRest(request: IncomingMessage): void {
  request.resume();
  if (request.complete) return;
  const timer = setTimeout(() => request.destroy(), REST_MS);
  request.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
}
