/** Short names of the file kinds that conversations contain. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^application\/pdf/, 'PDF'],
  [/wordprocessingml|^application\/msword/, 'Word'],
  [/spreadsheetml|^application\/vnd\.ms-excel/, 'Excel'],
  [/presentationml|^application\/vnd\.ms-powerpoint/, 'PowerPoint'],
  [/^text\/csv/, 'CSV'],
  [/^text\/plain/, 'Text'],
  [/^image\/jpe?g/, 'JPEG'],
  [/^(?:image|audio|video)\/(\w+)/, ''],
];

/** Returns a short name of a MIME type, such as `PDF`; undefined if there is none. */
export function kindName(mimeType: string | undefined): string | undefined {
  const found = NAMES.find(([pattern]) => pattern.test(mimeType ?? ''));
  return found && (found[1] || found[0].exec(mimeType ?? '')?.[1]?.toUpperCase());
}

const DOCUMENTS =
  /^(?:application\/(?:pdf|msword|vnd\.ms-(?:excel|powerpoint)|vnd\.openxmlformats-officedocument\..*)|text\/(?:plain|csv))$/;
const MEDIA = /^(?:image\/(?:jpeg|png|webp)|video\/(?:mp4|3gpp)|audio\/.*)$/;
const EXTENSIONS = /\.(?:docx?|xlsx?|pptx?|pdf|txt|csv)$/i;

/** Returns whether the platform accepts files of this kind. A file without a type and a known ending is left to it. */
export const isSendable = ({ name, type }: { name: string; type: string }): boolean =>
  type === '' ||
  DOCUMENTS.test(type) ||
  MEDIA.test(type) ||
  (EXTENSIONS.test(name) && !/^(?:text\/html|image\/)/.test(type));
