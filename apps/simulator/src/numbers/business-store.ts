export const WABA_ID = '100000000000001';
const PORTFOLIO_ID = '300000000000001';

const MAX_BUSINESSES = 1_000;

/** Onboarding states of a business for the Marketing Messages API. */
export const ONBOARDING_STATES = [
  'ELIGIBLE',
  'ONBOARDED',
  'PENDING_VALID_PAYMENT_METHOD',
  'PENDING_INTERNAL_SETUP',
  'INELIGIBLE_INACTIVE_OR_RESTRICTED',
  'INELIGIBLE_COUNTRY_NOT_SUPPORTED',
] as const;
export type OnboardingState = (typeof ONBOARDING_STATES)[number];

/** WhatsApp Business Account (WABA). */
export interface Business {
  id: string;
  /** Business portfolio that owns the account. All accounts have the same one by default. */
  portfolioId: string;
  /** True when the simulated app is subscribed to the account's callbacks. */
  isSubscribed: boolean;
  /** False if the platform cannot charge the business. */
  canPay: boolean;
  /** Code with which the Marketing Messages API rejects all sends; for tests. */
  marketingFailsWith?: number;
  /** All fields of `GET /{waba-id}`. */
  graph: { id: string; name: string; marketing_messages_onboarding_status: OnboardingState; [field: string]: unknown };
}

/** Default fields of `GET /{waba-id}`. */
export const DEFAULT_BUSINESS_FIELDS = 'id,name,timezone_id,message_template_namespace';

function newBusiness(id: string, name: string, isSubscribed: boolean, portfolioId = PORTFOLIO_ID): Business {
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
    owner_business_info: { id: portfolioId, name: `Portfolio ${portfolioId}` },
    marketing_messages_onboarding_status: 'ELIGIBLE' as const,
  };
  return { id, portfolioId, isSubscribed, canPay: true, graph };
}

/** The built-in business has the app subscribed, so that a demo works without setup. */
const seedBusinesses = (): Business[] => [newBusiness(WABA_ID, 'Switchboard Demo', true)];

export class BusinessStore {
  private businesses = seedBusinesses();

  byId(id: string): Business | undefined {
    return this.businesses.find((business) => business.id === id);
  }

  /**
   * Returns the business with this id, or creates one that is not subscribed. Returns undefined when there are too
   * many.
   */
  ensure(id: string, portfolioId?: string): Business | undefined {
    const known = this.byId(id);
    if (known || this.businesses.length >= MAX_BUSINESSES) return known;
    const added = newBusiness(id, `Business ${id}`, false, portfolioId);
    this.businesses.push(added);
    return added;
  }

  reset(): void {
    this.businesses = seedBusinesses();
  }
}
