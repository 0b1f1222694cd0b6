import { reportedErrors } from './reported-errors';

describe("what the platform reports of a customer's message", () => {
  it('is its code, title and details', () => {
    const error = { code: 131051, title: 'Message type unknown', error_data: { details: 'Not supported.' }, href: 'x' };
    expect(reportedErrors([error])).toEqual([
      { code: 131051, title: 'Message type unknown', details: 'Not supported.' },
    ]);
  });

  it('may have the details beside the title, as earlier versions wrote them', () => {
    expect(reportedErrors([{ code: 131051, title: 'Unsupported', details: 'Not supported' }])).toEqual([
      { code: 131051, title: 'Unsupported', details: 'Not supported' },
    ]);
  });

  it('has its message where it has no title', () => {
    expect(reportedErrors([{ code: 1, title: '', message: 'Too large' }])).toEqual([
      { code: 1, title: 'Too large', details: null },
    ]);
  });

  it('of another shape says as little as it can, and is bounded', () => {
    const strange = { code: '131051', title: { a: 1 }, error_data: null, details: 7 };
    expect(reportedErrors([strange])).toEqual([{ code: null, title: '', details: null }]);
    expect(reportedErrors(Array.from({ length: 50 }, () => strange))).toHaveLength(10);
  });

  it.each([[null], [undefined], [[]]])('is absent when it reports nothing (%j)', (errors) => {
    expect(reportedErrors(errors)).toBeUndefined();
  });
});
