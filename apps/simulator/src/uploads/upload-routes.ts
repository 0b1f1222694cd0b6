import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphCall } from '../graph-call';
import { GraphError, invalidParameter, templateRefusal, unknownObject } from '../graph-error';
import { fitsKind, ruleOf } from '../media/media-rules';
import type { World } from '../world';
import type { SampleAddress } from './sample-address';
import type { UploadSession } from './upload-store';

export const SAMPLES_PATH = '/whatsapp_business/samples/';
/** Handle of a built-in sample, so that a template can be created with a single call. */
export const KNOWN_HANDLE = '4::aW1hZ2U=';
const SAMPLE_MISSING = 2388273;
const SAMPLE_TYPES = ['application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4'];
/** Matches an app id. The simulator has a single app, which responds to any id. */
const APP = /^(app|\d{5,20})$/;
/** Content types of file bytes. The handler reads the stream itself. */
const BYTES = /^(application\/octet-stream|application\/pdf|application\/x-www-form-urlencoded|image\/|video\/)/;

interface UploadCall extends GraphCall {
  Querystring: GraphCall['Querystring'] & {
    file_name?: string;
    file_length?: string;
    file_type?: string;
    sig?: string;
  };
}

/** Registers `POST /{app-id}/uploads`, which opens a session of a resumable upload. */
export function registerUploads(app: FastifyInstance, world: World): void {
  app.addContentTypeParser(BYTES, (_request, _payload, done) => done(null));
  app.post<UploadCall>('/:id/uploads', async ({ params, query, method }) => {
    if (!APP.test(params.id)) throw unknownObject(params.id, method);
    const { id, signature } = await openSession(world, query);
    return { id: `${id}?sig=${signature}` };
  });
}

async function openSession({ uploads }: World, query: UploadCall['Querystring']): Promise<UploadSession> {
  const { file_type: type, file_length: length = '' } = query;
  if (type === undefined) throw invalidParameter('The parameter file_type is required.');
  if (!SAMPLE_TYPES.includes(type))
    throw invalidParameter(`Param file_type must be one of {${SAMPLE_TYPES.join(', ')}}.`);
  const mimeType = type === 'image/jpg' ? 'image/jpeg' : type;
  const maxBytes = ruleOf(mimeType)?.maxBytes ?? 0;
  const bytes = /^\d{1,12}$/.test(length) ? Number(length) : 0;
  if (bytes < 1 || bytes > maxBytes)
    throw invalidParameter(`Param file_length must be a number from 1 to ${maxBytes} for the type ${type}.`);
  return uploads.open(mimeType, bytes, Date.now());
}

export const isUpload = (id: string): boolean => id.startsWith('upload:');

/** Handles `GET /upload:…` and returns the offset to resume at. */
export async function uploadObject(world: World, request: FastifyRequest<GraphCall>): Promise<object> {
  const session = findSession(world, request);
  await session.writing;
  return { id: request.params.id, file_offset: session.offset };
}

/**
 * Handles `POST /upload:…`, which appends the bytes from `file_offset` on. Keeps the bytes that arrived before a broken
 * connection.
 */
export async function takeBytes(
  world: World,
  request: FastifyRequest<GraphCall>,
  reply: FastifyReply,
): Promise<object> {
  const session = findSession(world, request);
  await session.writing;
  const offset = request.headers.file_offset;
  if (offset === undefined) throw invalidParameter('The header file_offset is required.');
  if (offset !== String(session.offset))
    throw invalidParameter(`The header file_offset is ${String(offset)}, but the upload is at ${session.offset}.`);
  const breaks = world.faults.happens(world.faults.current.uploadBreaks);
  const bytes = breaks ? Readable.from(firstOf(request.raw, reply)) : request.raw;
  const outcome = await world.uploads.append(session, bytes);
  if (outcome === 'too many')
    throw invalidParameter(`The upload has more than the ${session.byteLength} bytes of its file_length.`);
  return session.handle === undefined ? { id: request.params.id, file_offset: session.offset } : { h: session.handle };
}

/** Yields the first part of a file, then closes the connection. */
async function* firstOf(content: Readable, reply: FastifyReply): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    yield (chunk as Buffer).subarray(0, Math.ceil((chunk as Buffer).length / 2));
    break;
  }
  reply.hijack();
  reply.raw.destroy();
}

function findSession({ uploads }: World, { params, query, method }: FastifyRequest<GraphCall>): UploadSession {
  const session = uploads.find(params.id, (query as UploadCall['Querystring']).sig, Date.now());
  if (!session) throw unknownObject(params.id, method);
  return session;
}

/** Resolves a handle in a new template to the URL under which the template lists its sample. */
export function sampleAddress({ uploads }: World, request: FastifyRequest): SampleAddress {
  const folder = `${request.protocol}://${request.host}${SAMPLES_PATH}`;
  return (handle, format) => {
    if (typeof handle !== 'string' || handle === '')
      throw templateRefusal(
        SAMPLE_MISSING,
        'Missing sample parameter',
        `Templates with ${format} header type need an example/sample, but it was not provided.`,
      );
    if (handle === KNOWN_HANDLE) return `${folder}known`;
    const upload = uploads.byHandle(handle, Date.now());
    if (!upload)
      throw templateRefusal(SAMPLE_MISSING, 'Invalid sample parameter', 'The header_handle is of no uploaded file.');
    if (!fitsKind(upload.mimeType, format.toLowerCase()))
      throw templateRefusal(
        SAMPLE_MISSING,
        'Invalid sample parameter',
        `The file of the header_handle is ${upload.mimeType}, which is no sample of a header of format ${format}.`,
      );
    return folder + upload.id.slice('upload:'.length);
  };
}

/** Serves the files of sample URLs without a token, as the platform does. */
export function registerSamples(app: FastifyInstance, { uploads }: World): void {
  app.get<{ Params: { id: string } }>('/:id', async ({ params }, reply) => {
    const upload = uploads.finished(`upload:${params.id}`);
    if (!upload) return reply.code(404).send(new GraphError(100, 'The sample is gone').toBody());
    return reply.type(upload.mimeType).send(uploads.read(upload));
  });
}
