import { propertiesOf, SendUploadRequest } from '@switchboard/contracts';
import { fingerprintOf } from './sends.service';

const message = Object.assign(new SendUploadRequest(), { to: '919812345678', type: 'image' as const });
const upload = { blobKey: 'uploads/a', mimeType: 'image/png', bytes: 1, sha256: 'ab', filename: 'a.png' };
const fingerprint = (changes: object, file = upload): string =>
  fingerprintOf({ message: Object.assign(new SendUploadRequest(), message, changes), upload: file });

describe('upload fingerprint', () => {
  it.each(propertiesOf(SendUploadRequest).map(({ name }) => name))('includes the field %s', (name) => {
    const value = name === 'context' ? { messageId: 'wamid.A' } : 'changed';
    expect(fingerprint({ [name]: value })).not.toBe(fingerprint({}));
  });

  it('includes a field added by a later release', () => {
    expect(fingerprint({ added: ['a'] })).not.toBe(fingerprint({}));
    expect(fingerprint({ added: ['a'] })).not.toBe(fingerprint({ added: ['b'] }));
  });

  it("depends on the file's bytes and name, but ignores the blob key", () => {
    expect(fingerprint({}, { ...upload, sha256: 'cd' })).not.toBe(fingerprint({}));
    expect(fingerprint({}, { ...upload, filename: 'b.png' })).not.toBe(fingerprint({}));
    expect(fingerprint({}, { ...upload, blobKey: 'uploads/b' })).toBe(fingerprint({}));
  });

  it('matches the format of release 0.2.0', () => {
    expect(fingerprint({ context: { messageId: 'wamid.A' } })).toBe(
      '["919812345678","image",null,null,null,"ab","a.png","wamid.A"]',
    );
  });
});
