import { type ConnectionCheck, type ConnectionCheckName, readUrl } from '@switchboard/contracts';
import {
  ONBOARDED,
  type UpstreamBusiness,
  type UpstreamError,
  type UpstreamNumberSetup,
  type UpstreamSubscription,
  type UpstreamToken,
} from '@switchboard/upstream';

/** Permissions that a token needs: sending and management. */
const PERMISSIONS = ['whatsapp_business_messaging', 'whatsapp_business_management'];
/** Webhook fields that report messages, statuses, and changes of templates and numbers. */
const FIELDS = [
  'messages',
  'message_template_status_update',
  'template_category_update',
  'message_template_quality_update',
  'phone_number_quality_update',
  'account_update',
];
const GOOD_NAMES = ['APPROVED', 'AVAILABLE_WITHOUT_REVIEW'];
/** Statuses of a number that does not exist or is not in use. */
const UNREGISTERED = ['PENDING', 'DISCONNECTED', 'UNVERIFIED', 'DELETED', 'MIGRATED'];
const CONNECT = 'Run ops numbers connect';

const finding =
  (state: ConnectionCheck['state']) =>
  (check: ConnectionCheckName, found: string, remedy: string | null = null): ConnectionCheck => ({
    check,
    state,
    found,
    remedy,
  });
const ok = finding('ok');
const missing = finding('missing');
const unknown = finding('unknown');

/** Returns the platform's description of an error, with its code. */
export function reasonOf({ code, title, details }: UpstreamError): string {
  return `${code === undefined ? '' : `${code}: `}${details ?? title}`;
}

/** Returns an unknown result for a query that the platform rejected. */
export function refusedToTell(check: ConnectionCheckName, error: UpstreamError): ConnectionCheck {
  return unknown(check, `The platform does not report this (${reasonOf(error)}).`);
}

export function tokenFinding(token: UpstreamToken): ConnectionCheck {
  if (!token.is_valid) return badToken(token.error?.message ?? 'The platform calls it invalid');
  const { expires_at: expiresAt = 0 } = token;
  if (expiresAt === 0) return ok('token', 'The token is valid and never expires.');
  const until = new Date(expiresAt * 1_000).toISOString();
  return ok(
    'token',
    `The token is valid until ${until}.`,
    'Replace it before then, preferably with one that never expires.',
  );
}

/** @param reason reason given by the platform, or an internal one */
export function badToken(reason: string): ConnectionCheck {
  return missing(
    'token',
    `The access token is rejected: ${reason.replace(/\.$/, '')}.`,
    "Create a new token for the app's system user and pass it to ops numbers connect.",
  );
}

/** A permission may be granted for some business accounts only. */
export function permissionsFinding(token: UpstreamToken, wabaId: string): ConnectionCheck {
  const { scopes = [], granular_scopes: granular = [] } = token;
  const lacking = PERMISSIONS.filter((permission) => !scopes.includes(permission));
  if (lacking.length > 0)
    return missing(
      'permissions',
      `The token lacks ${lacking.join(' and ')}.`,
      'Create a token of the system user with both permissions and pass it to ops numbers connect.',
    );
  const elsewhere = granular.filter(
    ({ scope, target_ids: ids }) => PERMISSIONS.includes(scope) && ids !== undefined && !ids.includes(wabaId),
  );
  if (elsewhere.length === 0) return ok('permissions', `The token has ${PERMISSIONS.join(' and ')}.`);
  return missing(
    'permissions',
    `The token has ${elsewhere.map(({ scope }) => scope).join(' and ')}, but not for business account ${wabaId}.`,
    'Assign the business account to the system user, then create a new token.',
  );
}

export function businessFinding({ id, name, account_review_status: review }: UpstreamBusiness): ConnectionCheck {
  const named = `Business account ${id}${name === undefined ? '' : ` (${name})`}`;
  if (review === undefined || review === 'APPROVED') return ok('business', `${named} exists.`);
  return missing(
    'business',
    `${named} exists; its review status is ${review}.`,
    review === 'PENDING' ? 'Wait for the review.' : 'Appeal in Business Support.',
  );
}

export function unknownBusiness(wabaId: string, error: UpstreamError): ConnectionCheck {
  return missing(
    'business',
    `The token cannot read business account ${wabaId} (${reasonOf(error)}).`,
    'Use the id of the WhatsApp Business account, not of the number or the portfolio, and assign the account to the system user.',
  );
}

export function numberFinding(
  number: UpstreamNumberSetup | undefined,
  { phoneNumber, wabaId }: { phoneNumber: string; wabaId: string },
): ConnectionCheck {
  if (number) return ok('number', `+${phoneNumber} belongs to business account ${wabaId} (id ${number.id}).`);
  return missing(
    'number',
    `Business account ${wabaId} has no number +${phoneNumber}.`,
    'Add the number in WhatsApp Manager, or use the business account to which it belongs.',
  );
}

/** Reports that the number belongs to another account, because a number belongs to one account only. */
export function numberTaken(phoneNumber: string): ConnectionCheck {
  return missing(
    'number',
    `+${phoneNumber} belongs to another account of this installation.`,
    'Remove it there first (numbers remove).',
  );
}

export function subscriptionFinding(
  apps: readonly string[],
  appId: string | undefined,
  wabaId: string,
): ConnectionCheck {
  const isSubscribed = appId === undefined ? apps.length > 0 : apps.includes(appId);
  if (isSubscribed) return ok('subscription', `The app gets the callbacks of business account ${wabaId}.`);
  return missing(
    'subscription',
    `The app does not get the callbacks of business account ${wabaId}: nothing that customers write arrives.`,
    `${CONNECT}: it subscribes the app.`,
  );
}

/** @param subscriptions undefined if they could not be read, which requires the app secret */
export function fieldsFinding(subscriptions: readonly UpstreamSubscription[] | undefined): ConnectionCheck {
  if (subscriptions === undefined)
    return unknown(
      'fields',
      'Not checked: UPSTREAM_APP_SECRET is not set, or the token names no app.',
      'Set it and check again.',
    );
  const ours = subscriptions.find(({ object }) => object === 'whatsapp_business_account');
  const given = ours?.active === false ? [] : (ours?.fields ?? []).map(({ name }) => name);
  const lacking = FIELDS.filter((field) => !given.includes(field));
  if (lacking.length === 0) return ok('fields', `The app is subscribed to ${FIELDS.join(', ')}.`);
  return missing(
    'fields',
    `The app is not subscribed to ${lacking.join(', ')}.`,
    "Subscribe to them on the app's page: WhatsApp, Configuration, Webhook fields.",
  );
}

/** Reports the secret of another app. With that secret, the signatures of callbacks would also be rejected. */
export function wrongAppSecret(appId: string, error: UpstreamError): ConnectionCheck {
  return missing(
    'fields',
    `The platform rejects UPSTREAM_APP_SECRET as the secret of app ${appId} (${reasonOf(error)}).`,
    "Copy the secret from the app's page (App settings, Basic), set it for the gateway, messaging, templates and the operator, and restart them.",
  );
}

/** @param wanted expected callback address; absent if unknown */
export function addressFinding(number: UpstreamNumberSetup, wanted: string | undefined): ConnectionCheck {
  const { phone_number: own, whatsapp_business_account: ofBusiness, application } = number.webhook_configuration ?? {};
  const address = own ?? ofBusiness ?? application;
  if (address === undefined)
    return unknown('address', 'The platform does not report where callbacks are sent.', "Check the app's page.");
  if (wanted === undefined) return ok('address', `Callbacks are sent to ${address}.`);
  if (isSameAddress(address, wanted)) return ok('address', `Callbacks are sent to ${address}, which is this service.`);
  return missing(
    'address',
    `Callbacks are sent to ${address}, not to ${wanted}.`,
    own === undefined && ofBusiness === undefined
      ? "Set the callback URL on the app's page: WhatsApp, Configuration."
      : 'Remove the override of the callback URL from the number and its business account.',
  );
}

/** Treats localhost and 127.0.0.1 as the same host. */
function isSameAddress(one: string, other: string): boolean {
  const plain = (address: string): string =>
    readUrl(address)?.href.replace('//localhost', '//127.0.0.1').replace(/\/$/, '') ?? address;
  return plain(one) === plain(other);
}

export function registrationFinding({
  status = 'UNKNOWN',
  platform_type: platform,
  code_verification_status: verification,
}: UpstreamNumberSetup): ConnectionCheck {
  const isRegistered = (platform === undefined || platform === 'CLOUD_API') && !UNREGISTERED.includes(status);
  if (isRegistered) return ok('registration', 'The number is registered with the Cloud API.');
  const isVerified = verification === undefined || verification === 'VERIFIED';
  return missing(
    'registration',
    `The number is not registered with the Cloud API (${status}): it can neither send nor receive.`,
    isVerified
      ? `${CONNECT} with --pin: six digits, those of its two-step verification if it has any.`
      : 'Verify the number in WhatsApp Manager (SMS or call), then run ops numbers connect with --pin.',
  );
}

export function nameFinding({ name_status: status, verified_name: name = '' }: UpstreamNumberSetup): ConnectionCheck {
  if (status === undefined)
    return unknown('name', 'The platform does not report whether it approved the display name.');
  if (GOOD_NAMES.includes(status)) return ok('name', `The display name "${name}" is approved.`);
  return missing(
    'name',
    `The display name "${name}" is not approved: ${status}.`,
    status === 'PENDING_REVIEW'
      ? 'Wait for the review; until then, fewer contacts can be messaged.'
      : 'Submit another display name in WhatsApp Manager.',
  );
}

export function standingFinding({
  status = 'UNKNOWN',
  quality_rating: quality = 'UNKNOWN',
}: UpstreamNumberSetup): ConnectionCheck {
  const found = `Its status is ${status}, its quality ${quality}.`;
  if (quality === 'RED')
    return missing(
      'standing',
      found,
      'Contacts block or report the messages: send fewer, and only those that they asked for.',
    );
  if (status === 'CONNECTED') return ok('standing', found);
  if (UNREGISTERED.includes(status)) return missing('standing', found, 'Register the number first.');
  return missing('standing', found, 'Check the reason in WhatsApp Manager.');
}

/** Never reports a missing onboarding as a problem, because marketing messages then use the normal endpoint. */
export function marketingFinding(status: string | undefined): ConnectionCheck {
  if (status === undefined)
    return unknown('marketing', 'The platform does not report the status of the Marketing Messages API.');
  if (status === ONBOARDED)
    return ok('marketing', 'The business is onboarded to the Marketing Messages API; ops settings says if it is used.');
  const remedy = 'Accept its terms in WhatsApp Manager, if marketing messages should use it.';
  return ok(
    'marketing',
    `The business is not onboarded to the Marketing Messages API (${status}).`,
    status === 'ELIGIBLE' ? remedy : null,
  );
}

export function callbacksFinding(lastCallbackAt: string | null): ConnectionCheck {
  if (lastCallbackAt !== null) return ok('callbacks', `The last callback arrived at ${lastCallbackAt}.`);
  return missing(
    'callbacks',
    'No callback about the number has arrived yet.',
    'Write to the number from a phone. If nothing arrives, look at subscription, fields and address.',
  );
}
