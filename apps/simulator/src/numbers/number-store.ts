import type { UpstreamNumber } from '@switchboard/upstream';

export const WABA_ID = '100000000000001';
export const QUALITY_RATINGS = ['GREEN', 'YELLOW', 'RED', 'NA', 'UNKNOWN'] as const;
export type QualityRating = (typeof QUALITY_RATINGS)[number];

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
export const DEFAULT_NUMBER_FIELDS = 'id,display_phone_number,verified_name,quality_rating,code_verification_status,platform_type,throughput';

function seedNumber(): BusinessNumber {
  return {
    wabaId: WABA_ID,
    id: '200000000000002',
    displayDigits: '15550783881',
    countryCode: '1',
    graph: {
      id: '200000000000002',
      display_phone_number: '+1 555-078-3881',
      verified_name: 'Switchboard Demo',
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

/** The business numbers of the simulated account. */
export class NumberStore {
  private numbers = [seedNumber()];

  all(): readonly BusinessNumber[] {
    return this.numbers;
  }

  byId(id: string): BusinessNumber | undefined {
    return this.numbers.find((number) => number.id === id);
  }

  /** By id or by the digits of the display number; the first number when nothing is given. */
  find(idOrDigits: string | undefined): BusinessNumber | undefined {
    if (!idOrDigits) return this.numbers[0];
    return this.numbers.find((number) => number.id === idOrDigits || number.displayDigits === idOrDigits.replace(/\D/g, ''));
  }

  /** The real platform announces no change of quality: it shows when the number is read. */
  setQuality(number: BusinessNumber, rating: QualityRating): void {
    number.graph.quality_rating = rating;
  }

  reset(): void {
    this.numbers = [seedNumber()];
  }
}
