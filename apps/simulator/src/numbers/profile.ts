import { invalidParameter } from '../graph-error';
import { type JsonObject, pickFields } from '../json';

const TEXTS = { about: [1, 139], address: [0, 256], description: [0, 512], email: [0, 128] } as const;
const MAX_WEBSITES = 2;
const MAX_WEBSITE = 256;
const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;
const VERTICALS = [
  'UNDEFINED',
  'OTHER',
  'AUTO',
  'BEAUTY',
  'APPAREL',
  'EDU',
  'ENTERTAIN',
  'EVENT_PLAN',
  'FINANCE',
  'GROCERY',
  'GOVT',
  'HOTEL',
  'HEALTH',
  'NONPROFIT',
  'PROF_SERVICES',
  'RETAIL',
  'TRAVEL',
  'RESTAURANT',
  'ALCOHOL',
  'ONLINE_GAMBLING',
  'PHYSICAL_GAMBLING',
  'OTC_DRUGS',
  'MATRIMONY_SERVICE',
];

/** Public profile of a number. Unset fields are absent. */
export type Profile = Partial<Record<keyof typeof TEXTS | 'vertical', string>> & { websites?: string[] };

/** Handles `GET /{phone-number-id}/whatsapp_business_profile`. */
export function showProfile(profile: Profile, fields: string | undefined): object {
  return { data: [pickFields({ ...profile, messaging_product: 'whatsapp' }, fields && `${fields},messaging_product`)] };
}

/**
 * Handles `POST` of the same path and changes only the given fields. @throws GraphError 100, and then nothing changes
 */
export function changeProfile(profile: Profile, body: JsonObject): { success: true } {
  const changes: Profile = {};
  for (const [name, [least, most]] of Object.entries(TEXTS)) {
    const text = body[name];
    if (text === undefined) continue;
    if (typeof text !== 'string' || text.length < least || text.length > most)
      throw invalidParameter(`Param ${name} must be a string of ${least} to ${most} characters.`);
    changes[name as keyof typeof TEXTS] = text;
  }
  if (changes.email && !EMAIL.test(changes.email)) throw invalidParameter('Param email must be an email address.');
  if (body.vertical !== undefined) changes.vertical = verticalOf(body.vertical);
  if (body.websites !== undefined) changes.websites = websitesOf(body.websites);
  Object.assign(profile, changes);
  return { success: true };
}

function verticalOf(given: unknown): string {
  const known = VERTICALS.find((vertical) => vertical === given);
  if (known === undefined) throw invalidParameter(`Param vertical must be one of {${VERTICALS.join(', ')}}.`);
  return known;
}

function websitesOf(given: unknown): string[] {
  const isWebsite = (url: unknown): url is string =>
    typeof url === 'string' && url.length <= MAX_WEBSITE && /^https?:\/\//.test(url);
  if (!Array.isArray(given) || given.length > MAX_WEBSITES || !given.every(isWebsite))
    throw invalidParameter(`Param websites must be an array of at most ${MAX_WEBSITES} URLs with http:// or https://.`);
  return given;
}
