import { detailsOf, titleOf } from './audit-labels';

describe('audit entry labels', () => {
  it('uses a dedicated title, or the words of the action', () => {
    expect(titleOf('webhook.rotate-secret')).toBe('Secret rotated');
    expect(titleOf('user.sign-in')).toBe('User signed in');
  });

  it('labels details of any shape', () => {
    expect(
      detailsOf({
        allowedIps: ['203.0.113.9', '203.0.113.10'],
        allowedRoutes: [],
        expiresAt: null,
        isPrimary: true,
        deliveries: 12_000,
        limits: { bulkRecipients: 7 },
      }),
    ).toEqual([
      ['Allowed ips', '203.0.113.9, 203.0.113.10'],
      ['Allowed routes', 'None'],
      ['Expires at', 'None'],
      ['Is primary', 'Yes'],
      ['Deliveries', '12,000'],
      ['Limits, bulk recipients', '7'],
    ]);
    expect(detailsOf({ since: '2026-03-02T09:00:00.000Z' })[0]?.[1]).toMatch(/^2 Mar 2026, \d\d:00:00$/);
  });
});
