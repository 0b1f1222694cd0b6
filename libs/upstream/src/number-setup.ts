import { readAs } from './responses';
import type { UpstreamCall } from './client';
import type { Answer } from './exchange';
import type { UpstreamNumber, UpstreamPage } from './types';

export interface BusinessCall extends UpstreamCall {
  wabaId: string;
}

export interface NumberSetupCall extends UpstreamCall {
  phoneNumberId: string;
}

export interface AppCall extends UpstreamCall {
  appId: string;
}

export interface RegisterNumberCall extends NumberSetupCall {
  /** Six digits: the current PIN of the number, or a new one if it has none. */
  pin: string;
}

export interface SetProfileCall extends NumberSetupCall {
  profile: UpstreamProfile;
}

export interface SetUsernameCall extends NumberSetupCall {
  /** Without the @. */
  username: string;
}

/** User name of a business number. */
export interface UpstreamUsername {
  /** Absent if the number has none. */
  username?: string;
  /** approved or reserved. */
  status?: string;
}

export interface UpstreamToken {
  is_valid: boolean;
  app_id?: string;
  /** Unix seconds; 0 for a token that never expires. */
  expires_at?: number;
  scopes?: string[];
  /** A permission without `target_ids` applies to all business accounts. */
  granular_scopes?: { scope: string; target_ids?: string[] }[];
  error?: { code?: number; message?: string };
}

export interface UpstreamBusiness {
  id: string;
  name?: string;
  /** APPROVED, PENDING or REJECTED. */
  account_review_status?: string;
}

/** Onboarding status of a business that may use the Marketing Messages API. */
export const ONBOARDED = 'ONBOARDED';

/** Number with its connection state. */
export interface UpstreamNumberSetup extends UpstreamNumber {
  /** APPROVED, AVAILABLE_WITHOUT_REVIEW, PENDING_REVIEW, DECLINED, EXPIRED or NONE. */
  name_status?: string;
  /** VERIFIED, NOT_VERIFIED or EXPIRED. */
  code_verification_status?: string;
  /** Hosting platform of the number; CLOUD_API once it is registered. */
  platform_type?: string;
  /** Callback addresses; the most specific one applies. */
  webhook_configuration?: { phone_number?: string; whatsapp_business_account?: string; application?: string };
}

export interface UpstreamSubscription {
  /** Subscribed object type; always whatsapp_business_account for the subscriptions used here. */
  object: string;
  callback_url?: string;
  active?: boolean;
  fields?: { name: string }[];
}

/** Public profile of a number. */
export interface UpstreamProfile {
  about?: string;
  address?: string;
  description?: string;
  email?: string;
  websites?: string[];
  vertical?: string;
}

/** Calls that connect a number and report what is missing. They fail only with an `UpstreamError`. */
export interface NumberSetupCalls {
  /** Returns the validity and the permissions of the token that makes the call. */
  debugToken(call: UpstreamCall): Promise<UpstreamToken>;
  getBusiness(call: BusinessCall): Promise<UpstreamBusiness>;
  /**
   * Returns the onboarding status of a business account for the Marketing Messages API: ONBOARDED, ELIGIBLE, PENDING_…
   * or INELIGIBLE_…; undefined when the platform does not report it.
   */
  getMarketingOnboarding(call: BusinessCall): Promise<string | undefined>;
  /** Returns the id of the portfolio that owns a business account; undefined if the platform does not report it. */
  getPortfolio(call: BusinessCall): Promise<string | undefined>;
  /** Returns the numbers of a business account from all pages. */
  listNumbers(call: BusinessCall): Promise<UpstreamNumberSetup[]>;
  /** Returns the ids of the apps that receive a business account's callbacks. */
  listSubscribedApps(call: BusinessCall): Promise<string[]>;
  /** Subscribes the token's app to the callbacks of a business account. Idempotent. */
  subscribeApp(call: BusinessCall): Promise<void>;
  /** Returns the app's subscriptions. The token is that of the app: `{app id}|{app secret}`. */
  listSubscriptions(call: AppCall): Promise<UpstreamSubscription[]>;
  registerNumber(call: RegisterNumberCall): Promise<void>;
  getProfile(call: NumberSetupCall): Promise<UpstreamProfile>;
  /** Sets the given fields of the profile and leaves the others unchanged. */
  setProfile(call: SetProfileCall): Promise<void>;
  getUsername(call: NumberSetupCall): Promise<UpstreamUsername>;
  /** Sets or changes the user name of a number. Idempotent. @returns its status */
  setUsername(call: SetUsernameCall): Promise<string>;
  /** Deletes the user name of a number. Idempotent. */
  deleteUsername(call: NumberSetupCall): Promise<void>;
}

type Caller = (path: string, call: UpstreamCall, body?: object, method?: 'DELETE') => Promise<Answer>;

const PAGE_SIZE = 100;
/** Exceeds the number of phone numbers that the platform allows per business account. */
const MAX_PAGES = 50;
const SETUP_FIELDS =
  'id,display_phone_number,verified_name,quality_rating,status,name_status,code_verification_status,platform_type,webhook_configuration';
const PROFILE_FIELDS = 'about,address,description,email,websites,vertical';

/** @param call makes one call of the API; the path starts after the version */
export function numberSetupCalls(call: Caller): NumberSetupCalls {
  const of = (id: string, rest: string): string => `/${encodeURIComponent(id)}${rest}`;
  return {
    async debugToken(given) {
      const path = `/debug_token?input_token=${encodeURIComponent(given.accessToken)}`;
      return readData<UpstreamToken>(await call(path, given), ({ is_valid }) => typeof is_valid === 'boolean');
    },
    async getBusiness(given) {
      const path = of(given.wabaId, '?fields=id,name,account_review_status');
      return readAs<UpstreamBusiness>(await call(path, given), ({ id }) => typeof id === 'string');
    },
    async getMarketingOnboarding(given) {
      const path = of(given.wabaId, '?fields=id,marketing_messages_onboarding_status');
      const { marketing_messages_onboarding_status: status } = readAs<{
        id: string;
        marketing_messages_onboarding_status?: unknown;
      }>(await call(path, given), ({ id }) => typeof id === 'string');
      return typeof status === 'string' && /^[A-Z_]{1,64}$/.test(status) ? status : undefined;
    },
    async getPortfolio(given) {
      const { owner_business_info: owner } = readAs<{ id: string; owner_business_info?: { id?: unknown } }>(
        await call(of(given.wabaId, '?fields=id,owner_business_info'), given),
        ({ id }) => typeof id === 'string',
      );
      return typeof owner?.id === 'string' && /^[0-9]{1,32}$/.test(owner.id) ? owner.id : undefined;
    },
    async listNumbers(given) {
      const numbers: UpstreamNumberSetup[] = [];
      let after: string | undefined;
      for (let pages = 0; pages < MAX_PAGES; pages += 1) {
        const query = new URLSearchParams({ fields: SETUP_FIELDS, limit: String(PAGE_SIZE), ...(after && { after }) });
        const path = of(given.wabaId, `/phone_numbers?${query}`);
        const page = readPage<UpstreamNumberSetup>(await call(path, given));
        numbers.push(...page.data);
        after = page.paging?.next ? page.paging.cursors?.after : undefined;
        if (!after) break;
      }
      return numbers;
    },
    async listSubscribedApps(given) {
      const { data } = readPage<{ whatsapp_business_api_data?: { id?: string } }>(
        await call(of(given.wabaId, '/subscribed_apps'), given),
      );
      return data.flatMap(({ whatsapp_business_api_data: app }) => (app?.id === undefined ? [] : [String(app.id)]));
    },
    async subscribeApp(given) {
      readDone(await call(of(given.wabaId, '/subscribed_apps'), given, {}));
    },
    async listSubscriptions(given) {
      return readPage<UpstreamSubscription>(await call(of(given.appId, '/subscriptions'), given)).data;
    },
    async registerNumber(given) {
      const body = { messaging_product: 'whatsapp', pin: given.pin };
      readDone(await call(of(given.phoneNumberId, '/register'), given, body));
    },
    async getProfile(given) {
      const path = of(given.phoneNumberId, `/whatsapp_business_profile?fields=${PROFILE_FIELDS}`);
      return readPage<UpstreamProfile>(await call(path, given)).data[0] ?? {};
    },
    async setProfile(given) {
      const body = { messaging_product: 'whatsapp', ...given.profile };
      readDone(await call(of(given.phoneNumberId, '/whatsapp_business_profile'), given, body));
    },
    async getUsername(given) {
      const answer = await call(of(given.phoneNumberId, '/username'), given);
      const { username, status } = readAs<Record<'username' | 'status', unknown>>(answer, () => true);
      return {
        ...(typeof username === 'string' && username !== '' && { username }),
        ...(typeof status === 'string' && { status }),
      };
    },
    async setUsername(given) {
      const answer = await call(of(given.phoneNumberId, '/username'), given, { username: given.username });
      return readAs<{ status: string }>(answer, ({ status }) => typeof status === 'string').status;
    },
    async deleteUsername(given) {
      readDone(await call(of(given.phoneNumberId, '/username'), given, undefined, 'DELETE'));
    },
  };
}

function readData<T extends object>(answer: Answer, hasShape: (data: Partial<T>) => boolean): T {
  return readAs<{ data: T }>(answer, ({ data }) => typeof data === 'object' && data !== null && hasShape(data)).data;
}

function readPage<T extends object>(answer: Answer): UpstreamPage<T> {
  return readAs<UpstreamPage<T>>(answer, ({ data }) => Array.isArray(data));
}

function readDone(answer: Answer): void {
  readAs<{ success: boolean }>(answer, ({ success }) => success === true);
}
