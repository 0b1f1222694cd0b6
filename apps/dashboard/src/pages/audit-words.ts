/** Actions whose words do not tell it all. */
const TITLES: Record<string, string> = {
  'key.set': 'API key changed',
  'key.created': 'API key created',
  'key.revoked': 'API key revoked',
  'key.rotated': 'API key rotated',
  'webhook.set': 'Webhook endpoint set',
  'webhook.create': 'Webhook endpoint added',
  'webhook.change': 'Webhook endpoint changed',
  'webhook.pause': 'Webhook endpoint paused',
  'webhook.enable': 'Webhook endpoint enabled',
  'webhook.delete': 'Webhook endpoint deleted',
  'webhook.rotate-secret': 'Webhook secret rotated',
  'webhook.confirm-rotation': 'Old webhook secret ended',
  'webhook.test': 'Test event sent',
  'webhook.replay': 'Event replayed',
  'webhook.replay-dropped': 'Dropped events replayed',
  'template-draft.create': 'Template draft created',
  'template-draft.change': 'Template draft changed',
  'template-draft.delete': 'Template draft deleted',
  'template-sample.upload': 'Header sample uploaded',
  'template.submit': 'Template submitted',
  'template.edit': 'Change of template begun',
  'template.delete': 'Template deleted',
  'template.sync': 'Templates synchronised',
  'template.test-send': 'Template sent as a test',
  'otp.change-settings': 'Settings of one-time passwords changed',
  'user.role-set': 'Role of user changed',
  'user.password-set': 'Password changed',
  'user.password-reset-offered': 'Link for a new password made',
  'user.sessions-ended': 'Sessions ended',
  'contact.set': 'Contact changed',
  'contact.erase': 'Contact erased',
  'settings.set': 'Settings changed',
  'retention.set': 'Retention changed',
};

/** @returns an action in words: `user.signed-in` is "User signed in" */
export function titleOf(action: string): string {
  return TITLES[action] ?? capitalised(action.replace(/[.-]/g, ' '));
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `allowedIps` is "Allowed ips". */
const labelOf = (name: string): string =>
  capitalised(
    name.replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`),
  );

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

function textOf(value: unknown): string {
  if (value === null || value === '') return 'None';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return value.toLocaleString();
  if (typeof value === 'string') return TIME.test(value) ? times.format(new Date(value)) : value;
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map(textOf).join(', ');
  return JSON.stringify(value);
}

const isNested = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Details as names and values in words; what is nested stands behind its name. */
export function detailsOf(details: Record<string, unknown>): (readonly [name: string, value: string])[] {
  return Object.entries(details).flatMap(([name, value]) =>
    isNested(value)
      ? detailsOf(value).map(([inner, text]) => [`${labelOf(name)}, ${inner.toLowerCase()}`, text] as const)
      : [[labelOf(name), textOf(value)] as const],
  );
}
