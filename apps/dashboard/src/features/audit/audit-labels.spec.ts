import { detailsOf, subjectOf, TITLES, titleOf } from './audit-labels';

describe('audit entry labels', () => {
  it('uses a dedicated title, or the words of the action', () => {
    const done = { details: {}, outcome: 'done' as const };
    expect(titleOf({ ...done, action: 'webhook.rotate-secret' })).toBe('Secret rotated');
    expect(titleOf({ ...done, action: 'user.sign-in' })).toBe('User signed in');
  });

  it('does not claim that a rejected change was made', () => {
    const refused = (action: string) => titleOf({ action, details: {}, outcome: 'refused' });
    expect(refused('webhook.create')).toBe('Add endpoint');
    expect(refused('key.create')).toBe('Create API key');
    expect(refused('contact.add-label')).toBe('Add label to a contact');
    expect(refused('account.reset-overrides')).toBe('Reset limits to the plan');
    expect(refused('credits.top-up')).toBe('Top up credits');
    for (const [action, title] of Object.entries(TITLES))
      expect([action, refused(action)]).not.toEqual([action, title]);
  });

  it('distinguishes the start of a job from its continuation', () => {
    const resumed = (details: Record<string, unknown>) => titleOf({ action: 'job.resume', details, outcome: 'done' });
    expect(resumed({ pauseReason: 'HELD' })).toBe('Job started');
    expect(resumed({ pauseReason: 'REQUESTED' })).toBe('Job resumed');
    expect(resumed({})).toBe('Job started or resumed');
  });

  it('names a created object by its details', () => {
    const draft = { name: 'winter_sale', language: 'en_US' };
    const targetName = 'Demo';
    expect(subjectOf({ action: 'template-draft.create', details: draft, targetName })).toBe('winter_sale (en_US)');
    expect(subjectOf({ action: 'user.invite', details: { email: 'a@example.com' }, targetName: null })).toBe(
      'a@example.com',
    );
    expect(subjectOf({ action: 'webhook.create', details: {}, targetName })).toBe('Demo');
    expect(subjectOf({ action: 'user.rename', details: draft, targetName })).toBe('Demo');
  });

  it('labels details of any shape', () => {
    expect(
      detailsOf({
        allowedIps: ['203.0.113.9', '203.0.113.10'],
        allowedRoutes: [],
        reason: null,
        expiresAt: null,
        isPrimary: true,
        deliveries: 12_000,
        limits: { bulkRecipients: 7 },
      }),
    ).toEqual([
      ['Allowed ips', '203.0.113.9, 203.0.113.10'],
      ['Allowed routes', 'All'],
      ['Reason', 'None'],
      ['Expires at', 'Never'],
      ['Is primary', 'Yes'],
      ['Deliveries', '12,000'],
      ['Limits, bulk recipients', '7'],
    ]);
    expect(detailsOf({ since: '2026-03-02T09:00:00.000Z' })[0]?.[1]).toMatch(/^2 Mar 2026, \d\d:00:00$/);
  });
});
