/**
 * Countries with a market of their own since per-message pricing began. The platform moves further countries out of
 * their regions from time to time. Such a country has its own market as soon as the rate card names it.
 */
const OWN_MARKETS: Readonly<Record<string, string>> = {
  AE: 'United Arab Emirates',
  AR: 'Argentina',
  BR: 'Brazil',
  CL: 'Chile',
  CO: 'Colombia',
  DE: 'Germany',
  EG: 'Egypt',
  ES: 'Spain',
  FR: 'France',
  GB: 'United Kingdom',
  ID: 'Indonesia',
  IL: 'Israel',
  IN: 'India',
  IT: 'Italy',
  MX: 'Mexico',
  MY: 'Malaysia',
  NG: 'Nigeria',
  NL: 'Netherlands',
  PE: 'Peru',
  PK: 'Pakistan',
  RU: 'Russia',
  SA: 'Saudi Arabia',
  TR: 'Turkey',
  ZA: 'South Africa',
};

/** Countries of each region, by ISO code. The names are those that a rate card may use for a market of their own. */
const REGIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'North America': { CA: 'Canada', US: 'United States' },
  'Rest of Africa': {
    AO: 'Angola',
    BF: 'Burkina Faso',
    BI: 'Burundi',
    BJ: 'Benin',
    BW: 'Botswana',
    CG: 'Congo',
    CI: 'Ivory Coast',
    CM: 'Cameroon',
    DZ: 'Algeria',
    ER: 'Eritrea',
    ET: 'Ethiopia',
    GA: 'Gabon',
    GH: 'Ghana',
    GM: 'Gambia',
    GW: 'Guinea-Bissau',
    KE: 'Kenya',
    LR: 'Liberia',
    LS: 'Lesotho',
    LY: 'Libya',
    MA: 'Morocco',
    MG: 'Madagascar',
    ML: 'Mali',
    MR: 'Mauritania',
    MW: 'Malawi',
    MZ: 'Mozambique',
    NA: 'Namibia',
    NE: 'Niger',
    RW: 'Rwanda',
    SD: 'Sudan',
    SL: 'Sierra Leone',
    SN: 'Senegal',
    SO: 'Somalia',
    SS: 'South Sudan',
    SZ: 'Eswatini',
    TD: 'Chad',
    TG: 'Togo',
    TN: 'Tunisia',
    TZ: 'Tanzania',
    UG: 'Uganda',
    ZM: 'Zambia',
    ZW: 'Zimbabwe',
  },
  'Rest of Asia Pacific': {
    AF: 'Afghanistan',
    AU: 'Australia',
    BD: 'Bangladesh',
    CN: 'China',
    HK: 'Hong Kong',
    JP: 'Japan',
    KH: 'Cambodia',
    LA: 'Laos',
    LK: 'Sri Lanka',
    MN: 'Mongolia',
    NP: 'Nepal',
    NZ: 'New Zealand',
    PG: 'Papua New Guinea',
    PH: 'Philippines',
    SG: 'Singapore',
    TH: 'Thailand',
    TJ: 'Tajikistan',
    TM: 'Turkmenistan',
    TW: 'Taiwan',
    UZ: 'Uzbekistan',
    VN: 'Vietnam',
  },
  'Rest of Central & Eastern Europe': {
    AL: 'Albania',
    AM: 'Armenia',
    AZ: 'Azerbaijan',
    BG: 'Bulgaria',
    BY: 'Belarus',
    CZ: 'Czech Republic',
    GE: 'Georgia',
    GR: 'Greece',
    HR: 'Croatia',
    HU: 'Hungary',
    LT: 'Lithuania',
    LV: 'Latvia',
    MD: 'Moldova',
    MK: 'North Macedonia',
    PL: 'Poland',
    RO: 'Romania',
    RS: 'Serbia',
    SI: 'Slovenia',
    SK: 'Slovakia',
    UA: 'Ukraine',
  },
  'Rest of Latin America': {
    BO: 'Bolivia',
    CR: 'Costa Rica',
    DO: 'Dominican Republic',
    EC: 'Ecuador',
    GT: 'Guatemala',
    HN: 'Honduras',
    HT: 'Haiti',
    JM: 'Jamaica',
    NI: 'Nicaragua',
    PA: 'Panama',
    PR: 'Puerto Rico',
    PY: 'Paraguay',
    SV: 'El Salvador',
    UY: 'Uruguay',
    VE: 'Venezuela',
  },
  'Rest of Middle East': {
    BH: 'Bahrain',
    IQ: 'Iraq',
    JO: 'Jordan',
    KW: 'Kuwait',
    LB: 'Lebanon',
    OM: 'Oman',
    QA: 'Qatar',
    YE: 'Yemen',
  },
  'Rest of Western Europe': {
    AT: 'Austria',
    BE: 'Belgium',
    CH: 'Switzerland',
    DK: 'Denmark',
    FI: 'Finland',
    IE: 'Ireland',
    NO: 'Norway',
    PT: 'Portugal',
    SE: 'Sweden',
  },
  Other: { KZ: 'Kazakhstan', KR: 'South Korea' },
};

/** Territories that share the calling code of a country, and so its market. */
const TERRITORIES: Readonly<Record<string, string>> = {
  AS: 'US',
  AX: 'FI',
  CC: 'AU',
  CX: 'AU',
  EH: 'MA',
  GG: 'GB',
  GU: 'US',
  IM: 'GB',
  JE: 'GB',
  MP: 'US',
  SJ: 'NO',
  VA: 'IT',
  VI: 'US',
};

const OTHER_MARKET = 'Other';

interface MarketsOfCountry {
  /** Market of the country alone; undefined for a country that never had one. */
  own: string | undefined;
  /** Region to which the country belongs unless it has its own market; undefined if it always has one. */
  region: string | undefined;
}

const BY_COUNTRY: ReadonlyMap<string, MarketsOfCountry> = new Map<string, MarketsOfCountry>([
  ...Object.entries(OWN_MARKETS).map(([country, own]) => [country, { own, region: undefined }] as const),
  ...Object.entries(REGIONS).flatMap(([region, countries]) =>
    Object.entries(countries).map(([country, own]) => [country, { own, region }] as const),
  ),
]);

/** Names of markets that a rate card may use, in alphabetical order. */
export const MARKETS: readonly string[] = [
  ...Object.keys(REGIONS),
  ...[...BY_COUNTRY.values()].flatMap(({ own }) => own ?? []),
].toSorted();

const KNOWN: ReadonlySet<string> = new Set(MARKETS);

/** Checks for a name of a market that a rate card may use. */
export function isMarket(name: string): boolean {
  return KNOWN.has(name);
}

/** Returns the error text for a market that `isMarket` rejects. */
export function unknownMarket(name: string): string {
  return `unknown market "${name}": use a name such as India or Rest of Africa`;
}

/**
 * Returns the market of a recipient.
 * @param country ISO code; null if unknown
 * @param isOnCard returns true if the rate card has a rate for a country's own market
 */
export function marketOfCountry(country: string | null, isOnCard: (market: string) => boolean): string {
  const code = country ?? '';
  const { own, region } = BY_COUNTRY.get(TERRITORIES[code] ?? code) ?? { own: undefined, region: undefined };
  if (own !== undefined && (region === undefined || isOnCard(own))) return own;
  return region ?? OTHER_MARKET;
}
