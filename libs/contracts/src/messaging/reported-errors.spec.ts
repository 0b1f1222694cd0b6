import { reportedErrors } from './reported-errors';

describe('reportedErrors', () => {
  it('returns the code, title and details', () => {
    const error = { code: 131051, title: 'Message type unknown', error_data: { details: 'Not supported.' }, href: 'x' };
    expect(reportedErrors([error])).toEqual([
      { code: 131051, title: 'Message type unknown', details: 'Not supported.' },
    ]);
  });

  it('reads details next to the title, as earlier versions send them', () => {
    expect(reportedErrors([{ code: 131051, title: 'Unsupported', details: 'Not supported' }])).toEqual([
      { code: 131051, title: 'Unsupported', details: 'Not supported' },
    ]);
  });

  it('returns the message as the title if there is none', () => {
    expect(reportedErrors([{ code: 1, title: '', message: 'Too large' }])).toEqual([
      { code: 1, title: 'Too large', details: null },
    ]);
  });

  it('normalizes malformed errors and returns at most 10', () => {
    const strange = { code: '131051', title: { a: 1 }, error_data: null, details: 7 };
    expect(reportedErrors([strange])).toEqual([{ code: null, title: '', details: null }]);
    expect(reportedErrors(Array.from({ length: 50 }, () => strange))).toHaveLength(10);
  });

  it.each([[null], [undefined], [[]]])('returns undefined for %j', (errors) => {
    expect(reportedErrors(errors)).toBeUndefined();
  });
});
