import { attachment } from './attachment';

describe('attachment header', () => {
  it.each([
    ['invoice.pdf', 'attachment; filename="invoice.pdf"'],
    [undefined, 'attachment'],
    [null, 'attachment'],
    ['', 'attachment'],
    ['a "b".pdf', 'attachment; filename="a \\"b\\".pdf"'],
    [
      'Orçamento março.pdf',
      `attachment; filename="Orcamento marco.pdf"; filename*=UTF-8''Or%C3%A7amento%20mar%C3%A7o.pdf`,
    ],
    ['Grüße €.pdf', `attachment; filename="Gru_e _.pdf"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%E2%82%AC.pdf`],
    ['فاتورة.pdf', `attachment; filename="______.pdf"; filename*=UTF-8''%D9%81%D8%A7%D8%AA%D9%88%D8%B1%D8%A9.pdf`],
    ['a😀.pdf', `attachment; filename="a_.pdf"; filename*=UTF-8''a%F0%9F%98%80.pdf`],
    ['half\ud83d.pdf', `attachment; filename="half_.pdf"; filename*=UTF-8''half%EF%BF%BD.pdf`],
  ])('encodes the file name %j', (filename, header) => {
    expect(attachment(filename)).toBe(header);
    expect(attachment(filename)).toMatch(/^[\x20-\x7e]*$/);
  });
});
