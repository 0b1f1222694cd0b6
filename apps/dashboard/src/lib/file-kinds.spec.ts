import { isSendable, kindName } from './file-kinds';

describe('kindName', () => {
  it.each([
    ['application/pdf', 'PDF'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'Word'],
    ['text/csv', 'CSV'],
    ['image/jpeg', 'JPEG'],
    ['image/png', 'PNG'],
    ['audio/ogg; codecs=opus', 'OGG'],
    ['application/x-unknown', undefined],
    [undefined, undefined],
  ])('names %s %s', (mimeType, name) => expect(kindName(mimeType)).toBe(name));
});

describe('isSendable', () => {
  it.each([
    ['a.png', 'image/png', true],
    ['a.docx', '', true],
    ['prices.csv', 'application/vnd.ms-excel', true],
    ['a.docx', 'application/zip', true],
    ['a.html', 'text/html', false],
    ['a.gif', 'image/gif', false],
    ['a.pdf', 'text/html', false],
    ['a.zip', 'application/zip', false],
  ])('judges %s of type %j: %s', (name, type, isAccepted) => expect(isSendable({ name, type })).toBe(isAccepted));
});
