import { countText, localTime } from '../../lib/formats';

/** Titles of changes that were made. */
export const TITLES: Record<string, string> = {
  'key.set': 'API key changed',
  'key.create': 'API key created',
  'key.revoke': 'API key revoked',
  'key.rotate': 'API key rotated',
  'webhook.set': 'Endpoint saved',
  'webhook.create': 'Endpoint added',
  'webhook.change': 'Endpoint changed',
  'webhook.pause': 'Endpoint paused',
  'webhook.enable': 'Endpoint enabled',
  'webhook.delete': 'Endpoint deleted',
  'webhook.rotate-secret': 'Secret rotated',
  'webhook.confirm-rotation': 'Old secret expired',
  'webhook.test': 'Test event sent',
  'webhook.replay': 'Event replayed',
  'webhook.replay-dropped': 'Replay started',
  'template-draft.create': 'Draft created',
  'template-draft.change': 'Draft changed',
  'template-draft.delete': 'Draft deleted',
  'template-sample.upload': 'Sample uploaded',
  'template.submit': 'Draft submitted',
  'template.edit': 'Edit started',
  'template.delete': 'Template deleted',
  'template.sync': 'Templates synchronized',
  'template.test-send': 'Test message sent',
  'job.pause': 'Job paused',
  'job.resume': 'Job started or resumed',
  'job.cancel': 'Job cancelled',
  'number.add': 'Number added',
  'number.remove': 'Number removed',
  'number.resume': 'Number resumed',
  'number.username': 'Number username changed',
  'message.send': 'Message sent',
  'media.upload': 'File uploaded',
  'media.delete': 'File deleted',
  'message.read': 'Read receipt sent',
  'conversation.assign': 'Conversation assigned',
  'conversation.unassign': 'Conversation unassigned',
  'conversation.done': 'Conversation marked as done',
  'conversation.reopen': 'Conversation reopened',
  'conversation.see': 'Conversation marked as seen',
  'note.create': 'Note added',
  'note.delete': 'Note deleted',
  'saved-reply.create': 'Saved reply created',
  'saved-reply.change': 'Saved reply changed',
  'saved-reply.delete': 'Saved reply deleted',
  'number.subscribe': 'Callbacks subscribed',
  'number.register': 'Number registered',
  'number.profile': 'Number profile changed',
  'number.leave-business': 'Business account detached',
  'otp.change-settings': 'OTP settings changed',
  'user.set-role': 'Role changed',
  'user.set-password': 'Password changed',
  'user.offer-password-reset': 'Reset link created',
  'user.end-sessions': 'Sessions ended',
  'contact.set': 'Contact changed',
  'contact.erase': 'Contact erased',
  'contact.block': 'Contact blocked',
  'contact.unblock': 'Contact unblocked',
  'contact.add-label': 'Label added to a contact',
  'contact.remove-label': 'Label removed from a contact',
  'label.create': 'Label created',
  'label.change': 'Label changed',
  'label.delete': 'Label deleted',
  'user.invite': 'User invited',
  'user.rename': 'User renamed',
  'user.enable': 'User enabled',
  'user.disable': 'User disabled',
  'user.create': 'User created',
  'user.sign-in': 'User signed in',
  'user.sign-out': 'User signed out',
  'user.renew-recovery-codes': 'Recovery codes renewed',
  'user.enable-second-factor': 'Second factor enabled',
  'user.disable-second-factor': 'Second factor disabled',
  'user.reset-second-factor': 'Second factor reset',
  'user.withdraw-invitation': 'Invitation withdrawn',
  'credits.top-up': 'Credits topped up',
  'account.create': 'Account created',
  'account.suspend': 'Account suspended',
  'account.resume': 'Account resumed',
  'account.override': 'Limits overridden',
  'account.set-plan': 'Plan changed',
  'account.set-time-zone': 'Time zone changed',
  'account.reset-overrides': 'Limits reset to the plan',
  'dead-letter.show': 'Dead letter shown',
  'queues.prune': 'Queues pruned',
  'number.stop': 'Number stopped',
  'job.finish': 'Job finished',
  'job.create': 'Job created',
  'job.rename': 'Job renamed',
  'job.retry-failed': 'Failed rows retried',
  'settings.set': 'Settings changed',
  'retention.set': 'Retention changed',
};

/** Verbs of the titles: a change that was not made is shown as "Add endpoint" instead of "Endpoint added". */
const VERBS: Record<string, string> = {
  added: 'Add',
  assigned: 'Assign',
  blocked: 'Block',
  cancelled: 'Cancel',
  changed: 'Change',
  created: 'Create',
  deleted: 'Delete',
  detached: 'Detach',
  disabled: 'Disable',
  enabled: 'Enable',
  ended: 'End',
  erased: 'Erase',
  expired: 'Expire',
  finished: 'Finish',
  invited: 'Invite',
  marked: 'Mark',
  overridden: 'Override',
  paused: 'Pause',
  pruned: 'Prune',
  registered: 'Register',
  removed: 'Remove',
  renamed: 'Rename',
  renewed: 'Renew',
  reopened: 'Reopen',
  replayed: 'Replay',
  reset: 'Reset',
  resumed: 'Resume',
  retried: 'Retry',
  revoked: 'Revoke',
  rotated: 'Rotate',
  saved: 'Save',
  sent: 'Send',
  shown: 'Show',
  'signed in': 'Sign in',
  'signed out': 'Sign out',
  started: 'Start',
  stopped: 'Stop',
  submitted: 'Submit',
  subscribed: 'Subscribe',
  suspended: 'Suspend',
  synchronized: 'Synchronize',
  'topped up': 'Top up',
  unassigned: 'Unassign',
  unblocked: 'Unblock',
  uploaded: 'Upload',
  withdrawn: 'Withdraw',
};
const DONE = new RegExp(`^(.+?) (${Object.keys(VERBS).join('|')})\\b(?: or resumed)?(.*)$`);

/** Returns the title of an action: `user.sign-in` becomes "User signed in". */
function doneTitle(action: string, { pauseReason }: Record<string, unknown>): string {
  if (action === 'job.resume' && typeof pauseReason === 'string')
    return pauseReason === 'HELD' ? 'Job started' : 'Job resumed';
  return TITLES[action] ?? capitalised(action.replace(/[.-]/g, ' '));
}

/** Returns the title of an entry: "Endpoint added" if it was done, and "Add endpoint" if it was not, or may not be. */
export function titleOf({ action, details, outcome }: Titled): string {
  const title = doneTitle(action, details);
  if (outcome === 'done' || outcome === null) return title;
  const [, noun = '', participle = '', rest = ''] = DONE.exec(title) ?? [];
  const verb = VERBS[participle];
  // Keeps abbreviations, such as API.
  const object = /^[A-Z]{2}/.test(noun) ? noun : noun.charAt(0).toLowerCase() + noun.slice(1);
  return verb === undefined ? title : `${verb} ${object}${rest}`;
}

interface Titled {
  action: string;
  details: Record<string, unknown>;
  outcome: 'done' | 'refused' | 'unknown' | null;
}

/**
 * Returns what an entry is about, to tell entries apart. What a request creates has no id yet, so the target is the
 * account, and the details name the object.
 */
export function subjectOf({ action, details, targetName }: Subject): string | null {
  if (!/\.(create|invite|withdraw-invitation)$/.test(action)) return targetName;
  const { email, url, name, language } = details;
  const named = [email, url, name].find((each) => typeof each === 'string' && each !== '');
  if (typeof named !== 'string') return targetName;
  return typeof language === 'string' ? `${named} (${language})` : named;
}

interface Subject {
  action: string;
  details: Record<string, unknown>;
  targetName: string | null;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `allowedIps` becomes "Allowed ips". */
const labelOf = (name: string): string =>
  capitalised(
    name.replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`),
  );

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Meaning of an empty value where it lifts a restriction. */
const UNRESTRICTED: Record<string, string> = { allowedIps: 'Any', allowedRoutes: 'All', expiresAt: 'Never' };

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

function textOf(value: unknown): string {
  if (isEmpty(value)) return 'None';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return countText(value);
  if (typeof value === 'string') return TIME.test(value) ? localTime(value) : value;
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return JSON.stringify(value);
}

const isNested = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Flattens details into labelled values; nested names follow their parent's name. */
export function detailsOf(details: Record<string, unknown>): (readonly [name: string, value: string])[] {
  return Object.entries(details).flatMap(([name, value]) =>
    isNested(value)
      ? detailsOf(value).map(([inner, text]) => [`${labelOf(name)}, ${inner.toLowerCase()}`, text] as const)
      : [[labelOf(name), (isEmpty(value) && UNRESTRICTED[name]) || textOf(value)] as const],
  );
}
