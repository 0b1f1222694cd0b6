import type { UpstreamNumber } from '@switchboard/upstream';
import { WABA_ID } from './business-store';
import type { Profile } from './profile';
import { newRegistration, type Registration, showRegistration } from './registration';

export const QUALITY_RATINGS = ['GREEN', 'YELLOW', 'RED', 'NA', 'UNKNOWN'] as const;
export const THROUGHPUT_LEVELS = ['STANDARD', 'HIGH', 'NOT_APPLICABLE'] as const;
export const TIERS = ['TIER_250', 'TIER_2K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED'] as const;

const MAX_NUMBERS = 1_000;

/** A business number with what the simulator needs to know of it beside its Graph object. */
export interface BusinessNumber {
  wabaId: string;
  id: string;
  /** As callbacks write it. */
  displayDigits: string;
  /** Put before recipients that came without a plus, as the platform does. */
  countryCode: string;
  /** The object of `GET /{phone-number-id}`, every field. */
  graph: UpstreamNumber;
  registration: Registration;
  profile: Profile;
}

/** A number that the platform is to know. */
export interface NewNumber {
  id: string;
  displayDigits: string;
  verifiedName: string;
  wabaId?: string;
  /** One that is not has to be registered before it sends. */
  isRegistered?: boolean;
}

/** What `GET /{phone-number-id}` shows when no fields are asked for. */
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

/** The business numbers of all business accounts. */
export class NumberStore {
  private numbers = seedNumbers();

  all(): readonly BusinessNumber[] {
    return this.numbers;
  }

  byId(id: string): BusinessNumber | undefined {
    return this.numbers.find((number) => number.id === id);
  }

  /** By id or by the digits of the display number; the first number when nothing is given. */
  find(idOrDigits: string | undefined): BusinessNumber | undefined {
    if (!idOrDigits) return this.numbers[0];
    return this.numbers.find(
      (number) => number.id === idOrDigits || number.displayDigits === idOrDigits.replace(/\D/g, ''),
    );
  }

  /** One more number; undefined when the id or the number is taken, or there are too many. */
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
