import type { UpstreamNumber } from '@switchboard/upstream';

export const WABA_ID = '100000000000001';
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
}

/** What `GET /{phone-number-id}` shows when no fields are asked for. */
export const DEFAULT_NUMBER_FIELDS =
  'id,display_phone_number,verified_name,quality_rating,code_verification_status,platform_type,throughput';

function newNumber(id: string, displayDigits: string, verifiedName: string): BusinessNumber {
  const [, area, exchange, line] = /^1(\d{3})(\d{3})(\d{4})$/.exec(displayDigits) ?? [];
  return {
    wabaId: WABA_ID,
    id,
    displayDigits,
    countryCode: '1',
    graph: {
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
    },
  };
}

const seedNumbers = (): BusinessNumber[] => [newNumber('200000000000002', '15550783881', 'Switchboard Demo')];

/** The business numbers of the simulated account. */
export class NumberStore {
  private numbers = seedNumbers();

  all(): readonly BusinessNumber[] {
    return this.numbers;
  }

  byId(id: string): BusinessNumber | undefined {
    return this.numbers.find((number) => number.id === id);
  }

  isAccount(id: string): boolean {
    return this.numbers.some(({ wabaId }) => wabaId === id);
  }

  /** By id or by the digits of the display number; the first number when nothing is given. */
  find(idOrDigits: string | undefined): BusinessNumber | undefined {
    if (!idOrDigits) return this.numbers[0];
    return this.numbers.find(
      (number) => number.id === idOrDigits || number.displayDigits === idOrDigits.replace(/\D/g, ''),
    );
  }

  /** A further number of the account; undefined when the id or the number is taken, or there are too many. */
  add(number: { id: string; displayDigits: string; verifiedName: string }): BusinessNumber | undefined {
    if (this.numbers.length >= MAX_NUMBERS || this.find(number.id) || this.find(number.displayDigits)) return undefined;
    const added = newNumber(number.id, number.displayDigits, number.verifiedName);
    this.numbers.push(added);
    return added;
  }

  reset(): void {
    this.numbers = seedNumbers();
  }
}
