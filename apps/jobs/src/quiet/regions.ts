import { countryOf } from '@switchboard/pricing';

/** Region of recipients whose country is unknown. */
export const UNKNOWN_REGION = '';

/** `getTimeZones()` is the newer form of `timeZones`; Node.js 20 has only the property. */
interface LocaleWithZones {
  getTimeZones?(): string[] | undefined;
  timeZones?: string[];
}

const zonesByRegion = new Map<string, readonly string[]>();

/**
 * Returns the region whose clocks decide about the recipient: the country of a phone number or user id, or
 * `UNKNOWN_REGION`.
 */
export function regionOf(recipient: string): string {
  return countryOf(recipient) ?? UNKNOWN_REGION;
}

/**
 * Returns all time zones of a region, from the Unicode data of Node.js. Returns the given zone, or UTC, if the region
 * or its zones are unknown.
 */
export function zonesOf(region: string, unknown: string): readonly string[] {
  const known = zonesByRegion.get(region) ?? zonesOfCountry(region);
  zonesByRegion.set(region, known);
  if (known.length > 0) return known;
  return [isZone(unknown) ? unknown : 'UTC'];
}

function zonesOfCountry(region: string): readonly string[] {
  // The zones of Antarctica differ by 16 hours, so that it would never be open.
  if (region === UNKNOWN_REGION || region === 'AQ') return [];
  const locale = new Intl.Locale(`und-${region}`) as LocaleWithZones;
  return (locale.getTimeZones?.() ?? locale.timeZones ?? []).filter(isZone);
}

function isZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}
