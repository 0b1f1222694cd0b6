import fc from 'fast-check';

const BOUNDARY = 'fuzz-boundary';
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const PDF = Buffer.from('%PDF-1.4\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF');

const fieldNames = fc.constantFrom(
  'to',
  'type',
  'caption',
  'from',
  'clientRef',
  'file',
  '',
  '__proto__',
  'to[0]',
  'x'.repeat(300),
  'a"b',
  'unknown',
);
const fieldValues = fc.constantFrom(
  '919812345678',
  'image',
  'document',
  'audio',
  'video',
  'text',
  '',
  'a\u0000b',
  '12',
  'x'.repeat(5000),
  '__proto__',
  '🎉',
);
const dispositions = fc.oneof(
  { weight: 8, arbitrary: fieldNames.map((name) => `form-data; name="${name}"`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'form-data',
      '',
      'attachment; name=x',
      'form-data; name=',
      "form-data; name*=utf-8''%FF",
      `form-data; name="${'x'.repeat(10_000)}"`,
    ),
  },
);
const fields = fc
  .tuple(dispositions, fieldValues)
  .map(([disposition, value]) => part([`Content-Disposition: ${disposition}`], Buffer.from(value)));
const files = fc
  .tuple(
    fc.constantFrom('file', 'file', 'file', 'other'),
    fc.constantFrom('a.png', '../../etc/passwd', '', 'x'.repeat(1000), 'a\u0000.png', 'é.pdf'),
    fc.constantFrom('image/png', 'application/pdf', 'text/html', 'nonsense', ''),
    fc.constantFrom(PNG, PDF, Buffer.alloc(0), Buffer.alloc(300_000, 7), Buffer.from('<html>')),
  )
  .map(([name, filename, type, content]) =>
    part(
      [
        `Content-Disposition: form-data; name="${name}"; filename="${filename}"`,
        ...(type === '' ? [] : [`Content-Type: ${type}`]),
      ],
      content,
    ),
  );
const wellFormed = fc.tuple(fc.constantFrom('image', 'document'), fc.boolean()).map(([type, fileFirst]) => {
  const plain = [
    ['to', '919812345678'],
    ['type', type],
  ].map(([name, value = '']) => part([`Content-Disposition: form-data; name="${name}"`], Buffer.from(value)));
  const file = part(['Content-Disposition: form-data; name="file"; filename="a.png"', 'Content-Type: image/png'], PNG);
  return fileFirst ? [file, ...plain] : [...plain, file];
});
const ends = fc.constantFrom(
  `--${BOUNDARY}--\r\n`,
  `--${BOUNDARY}--\r\n`,
  `--${BOUNDARY}--\r\n`,
  '',
  `--${BOUNDARY}`,
  `--other--\r\n`,
  `--${BOUNDARY}--\r\ntrailing rubbish`,
);

/** Generates form bodies: valid ones, and ones broken in various ways. */
export const multipartBodies: fc.Arbitrary<{ type: string; body: Buffer }> = fc
  .tuple(
    fc.oneof(
      wellFormed,
      fc.array(fc.oneof(fields, files), { maxLength: 6 }),
      fc.constant(
        Array.from({ length: 300 }, () => part(['Content-Disposition: form-data; name="to"'], Buffer.from('1'))),
      ),
    ),
    ends,
    fc.integer({ min: 1, max: 40 }),
  )
  .map(([parts, end, cut]) => {
    const body = Buffer.concat([...parts, Buffer.from(end)]);
    return {
      type: `multipart/form-data; boundary=${BOUNDARY}`,
      body: cut === 1 ? body.subarray(0, Math.floor(body.length / 2)) : body,
    };
  });

/** Builds a complete form, with texts as fields and contents as files. */
export function formOf(values: Record<string, string | Buffer>): { type: string; body: Buffer } {
  const parts = Object.entries(values).map(([name, value]) => {
    const disposition = `Content-Disposition: form-data; name="${name}"`;
    return typeof value === 'string'
      ? part([disposition], Buffer.from(value))
      : part([`${disposition}; filename="${name}"`], value);
  });
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  };
}

function part(headers: string[], content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${headers.join('\r\n')}\r\n\r\n`), content, Buffer.from('\r\n')]);
}
