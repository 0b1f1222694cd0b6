import { isObject } from '../body-class';
import { isId } from '../ids';
import { MEDIA_TYPES, type MediaType } from './message-types';

/** Fields of a content that contain a file: one per message type, and the GIF of a template's header. */
const FILE_FIELDS: Readonly<Record<string, MediaType>> = {
  ...Object.fromEntries(MEDIA_TYPES.map((type) => [type, type])),
  gif: 'video',
};
/** Data that is passed to a flow unchanged may have fields of these names. */
const FLOW_DATA = /^flow_?action_?(data|payload)$/i;

/** Use of an uploaded file in the content of a message. */
export interface MediaReference {
  /** Id of the uploaded file. */
  id: string;
  /** Type that the file must have. */
  type: MediaType;
  /** Path of the id in the content, such as `image.id` or `interactive.header.image.id`. */
  field: string;
  /** True if it is sent as a voice message. */
  isVoice: boolean;
}

/**
 * Returns the uploaded files that a content refers to.
 * @param content the content of a message under the name of its type, or components of a template
 * @param path path of the content; none by default
 */
export function mediaReferences(content: unknown, path = ''): MediaReference[] {
  if (!isObject(content)) return [];
  return Object.entries(content).flatMap(([name, value]: [string, unknown]) => {
    if (!isObject(value) || FLOW_DATA.test(name)) return [];
    const field = path === '' ? name : `${path}.${name}`;
    const type = FILE_FIELDS[name];
    const { id, voice } = value as { id?: unknown; voice?: unknown };
    if (type !== undefined && typeof id === 'string' && isId('med', id))
      return [{ id, type, field: `${field}.id`, isVoice: voice === true }];
    return mediaReferences(value, field);
  });
}

/** Returns the content with other ids for its uploaded files, as `mediaReferences` finds them. */
export function replaceMediaIds<Content>(content: Content, ids: ReadonlyMap<string, string>): Content {
  return (ids.size === 0 ? content : replaced(content, ids)) as Content;
}

function replaced(content: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(content)) return content.map((element) => replaced(element, ids));
  if (!isObject(content)) return content;
  return Object.fromEntries(
    Object.entries(content).map(([name, value]: [string, unknown]) => {
      if (FLOW_DATA.test(name)) return [name, value];
      const id = FILE_FIELDS[name] !== undefined && isObject(value) ? (value as { id?: unknown }).id : undefined;
      const other = typeof id === 'string' ? ids.get(id) : undefined;
      return [name, other === undefined ? replaced(value, ids) : { ...(value as object), id: other }];
    }),
  );
}
