import { readNotice } from './read-notice';

const read = (field: string, value: object) => readNotice({ wabaId: '1', field, value });

describe('readNotice', () => {
  it('keeps only the short members of an oversized report', () => {
    const report = { event: 'NEW_THING', description: 'x'.repeat(70_000), some_list: ['x'.repeat(70_000)], count: 7 };
    expect(read('account_update', report)).toMatchObject({ notice: 'other' });
    expect(read('account_update', report)?.details).toEqual({ event: 'NEW_THING', count: 7 });
  });

  it('reads Object.prototype member names as text', () => {
    const restriction_info = [{ restriction_type: 'constructor' }, { restriction_type: 'X'.repeat(600) }];
    expect(read('account_update', { event: 'ACCOUNT_RESTRICTION', restriction_info })).toMatchObject({
      summary: `The platform restricted the business: constructor, ${'x'.repeat(64)}`,
      restrictions: [{ type: 'constructor' }, { type: 'X'.repeat(64) }],
    });
    expect(read('account_alerts', { alert_severity: 'toString', alert_type: 'OBA_APPROVED' })).toMatchObject({
      severity: 'info',
    });
  });

  it.each([
    [
      'account_update',
      {
        event: 'ACCOUNT_RESTRICTION',
        restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: 1743538303 }],
      },
      {
        notice: 'restriction',
        severity: 'critical',
        summary:
          'The platform restricted the business until 1 April 2025, 20:11 UTC: no messages that start a conversation',
        restrictions: [{ type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', until: '2025-04-01T20:11:43.000Z' }],
      },
    ],
    [
      'account_update',
      {
        event: 'ACCOUNT_RESTRICTION',
        restriction_info: [
          { restriction_type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION', expiration: '2026-04-19T13:59:20+0000' },
          { restriction_type: 'RESTRICTED_NEW_THING', expiration: { toString: 1 } },
        ],
      },
      {
        summary: 'The platform restricted the business: no new numbers, restricted new thing',
        restrictions: [
          { type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION', until: '2026-04-19T13:59:20.000Z' },
          { type: 'RESTRICTED_NEW_THING', until: null },
        ],
      },
    ],
    [
      'account_update',
      { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'ADULT' } },
      { notice: 'violation', severity: 'warning', summary: 'The business violated a policy of the platform: adult' },
    ],
    [
      'account_update',
      {
        event: 'DISABLED_UPDATE',
        ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE', waba_ban_date: 'April 17, 2025' },
      },
      { notice: 'disable_scheduled', summary: 'The platform will disable the business on April 17, 2025' },
    ],
    ['account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } }, { notice: 'disabled' }],
    [
      'account_update',
      { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } },
      { notice: 'reinstated' },
    ],
    ['account_update', { event: 'DISABLED_UPDATE', ban_info: 'x' }, { notice: 'other', severity: 'warning' }],
    ['account_update', { event: 'ACCOUNT_DELETED' }, { notice: 'deleted', severity: 'critical' }],
    [
      'account_update',
      { event: 'PARTNER_ADDED', waba_info: { waba_id: '22' } },
      { notice: 'other', severity: 'info', summary: 'The platform reported: partner added', wabaId: '22' },
    ],
    [
      'account_alerts',
      {
        entity_type: 'PHONE_NUMBER',
        entity_id: 77,
        alert_info: { alert_severity: 'WARNING', alert_type: 'PROFILE_PICTURE_LOST' },
      },
      {
        notice: 'alert',
        severity: 'warning',
        phoneNumberId: '77',
        summary: 'The platform reported: profile picture lost',
      },
    ],
    [
      'account_alerts',
      { entity_type: 'BUSINESS', entity_id: '5', alert_info: { alert_description: 'More information is needed' } },
      { severity: 'info', phoneNumberId: null, summary: 'More information is needed' },
    ],
    ['account_review_update', { decision: 'REJECTED' }, { notice: 'review', severity: 'critical' }],
    [
      'phone_number_name_update',
      {
        display_phone_number: '+1 555-078-3881',
        decision: 'REJECTED',
        requested_verified_name: 'Lucky',
        rejection_reason: 'NAME_FORMAT_UNACCEPTABLE',
      },
      {
        notice: 'name',
        severity: 'warning',
        phoneNumber: '15550783881',
        summary: 'The name “Lucky”: rejected (name format unacceptable)',
      },
    ],
    [
      'business_capability_update',
      { max_daily_conversations_per_business: 2000, max_phone_numbers_per_business: 25 },
      { notice: 'limit', messagingLimit: 'TIER_2K', isLimitBeside: false, phoneNumber: null },
    ],
    [
      'business_capability_update',
      { max_daily_conversation_per_phone: -1 },
      {
        messagingLimit: 'TIER_UNLIMITED',
        summary: 'The business may write first to any number of people within 24 hours',
      },
    ],
    [
      'phone_number_quality_update',
      { display_phone_number: '1555', event: 'THROUGHPUT_UPGRADE', current_limit: 'TIER_10K' },
      { notice: 'limit', messagingLimit: 'TIER_10K', isLimitBeside: true, phoneNumber: null },
    ],
    [
      'phone_number_quality_update',
      { event: 'UPGRADE', old_limit: 'TIER_2K', current_limit: 'TIER_10K' },
      { messagingLimit: 'TIER_10K', isLimitBeside: false },
    ],
  ])('reads %s %j', (field, value, expected) => {
    expect(read(field, value)).toMatchObject(expected);
  });

  it('ignores callbacks without relevant changes', () => {
    expect(read('phone_number_quality_update', { event: 'ONBOARDING' })).toBeUndefined();
    expect(read('business_capability_update', { max_phone_numbers_per_business: 2 })).toBeUndefined();
    expect(read('phone_number_settings_update', {})).toBeUndefined();
  });

  it('reads callbacks of any shape without throwing', () => {
    const odd = [null, 'x', 7, [], {}, [null], { a: { b: [] } }];
    for (const field of ['account_update', 'account_alerts', 'account_review_update', 'phone_number_name_update'])
      for (const value of odd) {
        const all = Object.fromEntries(
          ['event', 'restriction_info', 'ban_info', 'waba_info', 'decision', 'alert_info', 'entity_id'].map((name) => [
            name,
            value,
          ]),
        );
        expect(() => read(field, all)).not.toThrow();
        expect(() => read(field, { ...all, event: 'ACCOUNT_RESTRICTION', entity_type: 'PHONE_NUMBER' })).not.toThrow();
      }
  });
});
