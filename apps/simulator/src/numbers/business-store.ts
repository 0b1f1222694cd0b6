export const WABA_ID = '100000000000001';

const MAX_BUSINESSES = 1_000;

/** Whether a business may use the Marketing Messages API. */
export const ONBOARDING_STATES = [
  'ELIGIBLE',
  'ONBOARDED',
  'PENDING_VALID_PAYMENT_METHOD',
  'PENDING_INTERNAL_SETUP',
  'INELIGIBLE_INACTIVE_OR_RESTRICTED',
  'INELIGIBLE_COUNTRY_NOT_SUPPORTED',
] as const;
export type OnboardingState = (typeof ONBOARDING_STATES)[number];

/** A business account (WABA) of the platform. */
export interface Business {
  id: string;
  /** Whether the simulated app gets its callbacks. */
  isSubscribed: boolean;
  /** The code with which the Marketing Messages API refuses all sends, for tests. */
  marketingFailsWith?: number;
  /** The object of `GET /{waba-id}`, every field. */
  graph: { id: string; name: string; marketing_messages_onboarding_status: OnboardingState; [field: string]: unknown };
}

/** What `GET /{waba-id}` shows when no fields are asked for. */
export const DEFAULT_BUSINESS_FIELDS = 'id,name,timezone_id,message_template_namespace';

function newBusiness(id: string, name: string, isSubscribed: boolean): Business {
  const graph = {
    id,
    name,
    timezone_id: '1',
    message_template_namespace: `simulator_${id}`,
    currency: 'USD',
    country: 'US',
    account_review_status: 'APPROVED',
    business_verification_status: 'verified',
    ownership_type: 'SELF',
    marketing_messages_onboarding_status: 'ELIGIBLE' as const,
  };
  return { id, isSubscribed, graph };
}

/** The one that is always there has the app subscribed, so that a demo works at once. */
const seedBusinesses = (): Business[] => [newBusiness(WABA_ID, 'Switchboard Demo', true)];

/** The business accounts that the simulated platform knows; they all share the templates. */
export class BusinessStore {
  private businesses = seedBusinesses();

  byId(id: string): Business | undefined {
    return this.businesses.find((business) => business.id === id);
  }

  /** The business of this id; a new one is not subscribed. Undefined when there are too many. */
  ensure(id: string): Business | undefined {
    const known = this.byId(id);
    if (known || this.businesses.length >= MAX_BUSINESSES) return known;
    const added = newBusiness(id, `Business ${id}`, false);
    this.businesses.push(added);
    return added;
  }

  reset(): void {
    this.businesses = seedBusinesses();
  }
}
