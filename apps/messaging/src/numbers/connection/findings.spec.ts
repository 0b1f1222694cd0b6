import { describeUpstreamError, UpstreamError } from '@switchboard/upstream';
import {
  addressFinding,
  businessFinding,
  callbacksFinding,
  fieldsFinding,
  nameFinding,
  numberFinding,
  permissionsFinding,
  reasonOf,
  registrationFinding,
  standingFinding,
  subscriptionFinding,
  tokenFinding,
  unknownBusiness,
  wrongAppSecret,
} from './findings';

const WABA = '100000000000001';
const BOTH = ['whatsapp_business_messaging', 'whatsapp_business_management'];
const FIELDS = [
  'messages',
  'message_template_status_update',
  'template_category_update',
  'message_template_quality_update',
  'phone_number_quality_update',
  'account_update',
].map((name) => ({ name }));
const OURS = 'https://sb.example/callbacks/upstream';
const refused = new UpstreamError({
  ...describeUpstreamError(100, 33),
  kind: 'rejected',
  code: 100,
  details: 'no such object',
});

describe('token findings', () => {
  it('report no expiry, an expiry time or an invalid token', () => {
    expect(tokenFinding({ is_valid: true, expires_at: 0 })).toMatchObject({ state: 'ok', remedy: null });
    const until = tokenFinding({ is_valid: true, expires_at: 1_900_000_000 });
    expect(until).toMatchObject({ state: 'ok', found: 'The token is valid until 2030-03-17T17:46:40.000Z.' });
    expect(until.remedy).toMatch(/Replace it/);
    expect(tokenFinding({ is_valid: false, error: { message: 'Session has expired.' } })).toMatchObject({
      state: 'missing',
      found: 'The access token is rejected: Session has expired.',
    });
  });

  it('require both permissions for the business account', () => {
    const state = (scopes?: string[], granular_scopes?: { scope: string; target_ids?: string[] }[]) =>
      permissionsFinding({ is_valid: true, scopes, granular_scopes }, WABA).state;
    expect([state(BOTH), state(BOTH.slice(1)), state()]).toEqual(['ok', 'missing', 'missing']);
    expect(state(BOTH, [{ scope: BOTH[0]!, target_ids: [WABA] }, { scope: BOTH[1]! }])).toBe('ok');
    expect(state(BOTH, [{ scope: BOTH[0]!, target_ids: ['2'] }])).toBe('missing');
    expect(state(BOTH, [{ scope: 'public_profile', target_ids: ['2'] }])).toBe('ok');
  });
});

it('businessFinding reports approved, pending and unknown business accounts', () => {
  expect(businessFinding({ id: WABA, name: 'Acme' })).toMatchObject({
    state: 'ok',
    found: expect.stringContaining('(Acme)'),
  });
  expect(businessFinding({ id: WABA, account_review_status: 'PENDING' })).toMatchObject({
    remedy: 'Wait for the review.',
  });
  expect(unknownBusiness(WABA, refused)).toMatchObject({
    state: 'missing',
    found: expect.stringContaining('100: no such object'),
  });
  expect(numberFinding(undefined, { phoneNumber: '1555', wabaId: WABA }).state).toBe('missing');
});

it("subscriptionFinding requires the token's app", () => {
  const state = (apps: string[], appId?: string) => subscriptionFinding(apps, appId, WABA).state;
  expect([state(['7'], '7'), state(['8'], '7'), state([], '7'), state(['8'])]).toEqual([
    'ok',
    'missing',
    'missing',
    'ok',
  ]);
});

it('fieldsFinding reports missing fields and unchecked subscriptions', () => {
  const of = (fields: { name: string }[], active = true) =>
    fieldsFinding([{ object: 'whatsapp_business_account', active, fields }]);
  expect(of(FIELDS).state).toBe('ok');
  expect(of(FIELDS.slice(1))).toMatchObject({ state: 'missing', found: 'The app is not subscribed to messages.' });
  expect([of(FIELDS, false).state, fieldsFinding([]).state, fieldsFinding(undefined).state]).toEqual([
    'missing',
    'missing',
    'unknown',
  ]);
  expect(wrongAppSecret('7', refused)).toMatchObject({ check: 'fields', state: 'missing' });
});

it('addressFinding uses the most specific callback address', () => {
  const at = (webhook_configuration: object, wanted: string | undefined = OURS) =>
    addressFinding({ id: '1', webhook_configuration }, wanted);
  expect(at({ application: OURS }).state).toBe('ok');
  expect(at({ application: OURS, phone_number: 'https://other.example/' })).toMatchObject({
    state: 'missing',
    remedy: expect.stringContaining('override'),
  });
  expect(at({ application: 'https://other.example/' }).remedy).toContain("app's page");
  expect([at({}).state, addressFinding({ id: '1' }, OURS).state]).toEqual(['unknown', 'unknown']);
  expect(addressFinding({ id: '1', webhook_configuration: { application: 'x' } }, undefined).state).toBe('ok');
  expect(
    at({ application: 'http://127.0.0.1:3000/callbacks/upstream' }, 'http://localhost:3000/callbacks/upstream').state,
  ).toBe('ok');
});

it('registrationFinding requires registration with the Cloud API', () => {
  const of = (number: object) => registrationFinding({ id: '1', ...number });
  expect(of({ status: 'CONNECTED', platform_type: 'CLOUD_API' }).state).toBe('ok');
  expect(of({ status: 'FLAGGED', platform_type: 'CLOUD_API' }).state).toBe('ok');
  expect(of({ status: 'CONNECTED' }).state).toBe('ok');
  expect(of({ status: 'PENDING', platform_type: 'NOT_APPLICABLE' }).remedy).toContain('--pin');
  expect(of({ status: 'DISCONNECTED', code_verification_status: 'EXPIRED' }).remedy).toContain('Verify the number');
});

it('name, standing and callback findings report their states', () => {
  const name = (name_status?: string) => nameFinding({ id: '1', name_status });
  expect([name('APPROVED').state, name('DECLINED').state, name().state]).toEqual(['ok', 'missing', 'unknown']);
  expect(name('PENDING_REVIEW').remedy).toContain('Wait');
  const standing = (status: string, quality_rating: string) =>
    standingFinding({ id: '1', status, quality_rating }).state;
  expect([standing('CONNECTED', 'YELLOW'), standing('CONNECTED', 'RED'), standing('BANNED', 'GREEN')]).toEqual([
    'ok',
    'missing',
    'missing',
  ]);
  expect(callbacksFinding(null).state).toBe('missing');
  expect(callbacksFinding('2026-03-02T10:15:00.000Z').state).toBe('ok');
});

it('reasonOf includes the error code if there is one', () => {
  expect(reasonOf(refused)).toBe('100: no such object');
  expect(reasonOf(new UpstreamError({ ...describeUpstreamError(1), kind: 'unavailable' }))).toBe('Unknown API error');
});
