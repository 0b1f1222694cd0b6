import type { UpstreamNumber } from '@switchboard/upstream';
import { WABA_ID } from './business-store';
import type { Profile } from './profile';
import type { BusinessUsername } from './username';
import { newRegistration, type Registration, showRegistration } from './registration';

export const QUALITY_RATINGS = ['GREEN', 'YELLOW', 'RED', 'NA', 'UNKNOWN'] as const;
export const THROUGHPUT_LEVELS = ['STANDARD', 'HIGH', 'NOT_APPLICABLE'] as const;
export const TIERS = ['TIER_250', 'TIER_2K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED'] as const;
export type Tier = (typeof TIERS)[number];

const MAX_NUMBERS = 1_000;

/** Business number: its Graph object and internal state. */
export interface BusinessNumber {
  wabaId: string;
  id: string;
  /** Number in digits, as in callbacks. */
  displayDigits: string;
  /** Country code prepended to recipients without a plus, as on the platform. */
  countryCode: string;
  /** All fields of `GET /{phone-number-id}`. */
  graph: UpstreamNumber;
  registration: Registration;
  profile: Profile;
  /** Undefined for a number without a user name. */
  username?: BusinessUsername;
}

export interface NewNumber {
  id: string;
  displayDigits: string;
  verifiedName: string;
  wabaId?: string;
  /** True once the number is registered, without which it cannot send. */
  isRegistered?: boolean;
}

/** Default fields of `GET /{phone-number-id}`. */
export const DEFAULT_NUMBER_FIELDS =
  'id,display_phone_number,verified_name,quality_rating,code_verification_status,platform_type,throughput';

function newNumber({
  id,
  displayDigits,
  verifiedName,
  wabaId = WABA_ID,
  isRegistered = true,
}: NewNumber): BusinessNumber {
  const [, area, exchange, line] = /^1(\d{3})(\d{3})(\d{4})$/.exec(displayDigits) ?? [];
  const graph: UpstreamNumber = {
    id,
    display_phone_number: area ? `+1 ${area}-${exchange}-${line}` : `+${displayDigits}`,
    verified_name: verifiedName,
    quality_rating: 'GREEN',
    throughput: { level: 'STANDARD' },
    status: 'CONNECTED',
    name_status: 'APPROVED',
    code_verification_status: 'VERIFIED',
    platform_type: 'CLOUD_API',
    account_mode: 'LIVE',
    whatsapp_business_manager_messaging_limit: 'TIER_2K',
  };
  const registration = newRegistration(isRegistered);
  const number = { wabaId, id, displayDigits, countryCode: '1', graph, registration, profile: {} };
  showRegistration(number, 'PENDING');
  return number;
}

const seedNumbers = (): BusinessNumber[] => [
  newNumber({ id: '200000000000002', displayDigits: '15550783881', verifiedName: 'Switchboard Demo' }),
];

export class NumberStore {
  private numbers = seedNumbers();

  all(): readonly BusinessNumber[] {
    return this.numbers;
  }

  byId(id: string): BusinessNumber | undefined {
    return this.numbers.find((number) => number.id === id);
  }

  /** Finds a number by id or by the digits of its display number. Without an argument, returns the first number. */
  find(idOrDigits: string | undefined): BusinessNumber | undefined {
    if (!idOrDigits) return this.numbers[0];
    return this.numbers.find(
      (number) => number.id === idOrDigits || number.displayDigits === idOrDigits.replace(/\D/g, ''),
    );
  }

  /** Adds a number. Returns undefined when the id or the number is in use, or there are too many. */
  add(number: NewNumber): BusinessNumber | undefined {
    if (this.numbers.length >= MAX_NUMBERS || this.find(number.id) || this.find(number.displayDigits)) return undefined;
    const added = newNumber(number);
    this.numbers.push(added);
    return added;
  }

  reset(): void {
    this.numbers = seedNumbers();
  }
}
