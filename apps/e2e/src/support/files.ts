/** Small files whose content is valid, at least in the first bytes. */
export const FILES = {
  image: {
    mimeType: 'image/png',
    bytes: fromBase64(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    ),
  },
  document: {
    mimeType: 'application/pdf',
    bytes: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
  },
  video: { mimeType: 'video/mp4', bytes: fromBase64('AAAAJGZ0eXBpc29tAAACAGlzb21pc282aXNvMmF2YzFtcDQxAAAACG1kYXQ=') },
  audio: {
    mimeType: 'audio/ogg',
    bytes: fromBase64('T2dnUwACAAAAAAAAAABbAAAAAAAAAIw/cDoBE09wdXNIZWFkAQE4AYC7AAAAAAA='),
  },
  sticker: { mimeType: 'image/webp', bytes: fromBase64('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==') },
};

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

/** Creates a file with unique bytes, so that the upstream platform stores a new copy. */
export function fileOf(type: keyof typeof FILES, name: string): File {
  return new File([new Uint8Array(FILES[type].bytes), crypto.randomUUID()], name);
}
