import type { SimulatorSettings } from '../config';

export const APP_ID = '670000000000001';
const APP_NAME = 'Switchboard Simulator';

export const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'] as const;
export type Scope = (typeof SCOPES)[number];

/** Fields that an app can subscribe to for its business accounts. */
export const WEBHOOK_FIELDS = [
  'account_alerts',
  'account_review_update',
  'account_update',
  'business_capability_update',
  'message_template_components_update',
  'message_template_quality_update',
  'message_template_status_update',
  'messages',
  'phone_number_name_update',
  'phone_number_quality_update',
  'security',
  'template_category_update',
  'user_preferences',
  'history',
  'smb_app_state_sync',
  'smb_message_echoes',
] as const;

const MAX_TOKENS = 1_000;

export interface AppToken {
  scopes: readonly Scope[];
  /** Unix seconds; 0 for a token that never expires. */
  expiresAt: number;
  isRevoked: boolean;
  /** Business accounts assigned to the token; all when absent. */
  businesses?: readonly string[];
}

const ALL_RIGHTS: AppToken = { scopes: SCOPES, expiresAt: 0, isRevoked: false };

/** The callers' app on the platform, with its tokens and subscribed callback fields. */
export class SimulatedApp {
  private readonly tokens = new Map<string, AppToken>();
  private fields = new Set<string>(WEBHOOK_FIELDS);

  constructor(private readonly settings: Pick<SimulatorSettings, 'accessToken' | 'appSecret'>) {}

  /** Returns the app as business accounts list it. */
  shown(): object {
    return { id: APP_ID, link: `https://www.facebook.com/games/?app_id=${APP_ID}`, name: APP_NAME };
  }

  /** Finds a token. Returns undefined for one that was never issued. */
  tokenOf(text: string): AppToken | undefined {
    return text === this.settings.accessToken ? ALL_RIGHTS : this.tokens.get(text);
  }

  isAppToken(text: string): boolean {
    return text === `${APP_ID}|${this.settings.appSecret}`;
  }

  /** Issues an additional token. Returns false when there are too many. */
  give(text: string, token: AppToken): boolean {
    if (!this.tokens.has(text) && this.tokens.size >= MAX_TOKENS) return false;
    this.tokens.set(text, token);
    return true;
  }

  get subscribedFields(): readonly string[] {
    return [...this.fields];
  }

  subscribe(fields: readonly string[]): void {
    this.fields = new Set(fields);
  }

  /** Returns true if callbacks of the field are sent. Includes fields that the platform does not have yet. */
  hasField(field: string): boolean {
    return this.fields.has(field) || !WEBHOOK_FIELDS.some((known) => known === field);
  }

  reset(): void {
    this.tokens.clear();
    this.fields = new Set(WEBHOOK_FIELDS);
  }
}

/** Handles `GET /debug_token`. */
export function describeToken(app: SimulatedApp, text: string, nowMs: number): object {
  const token = app.tokenOf(text);
  if (!token)
    return {
      data: {
        error: { code: 190, message: 'Invalid OAuth access token - Cannot parse access token' },
        is_valid: false,
        scopes: [],
      },
    };
  const { scopes, expiresAt, businesses } = token;
  const problem = problemOf(token, nowMs);
  return {
    data: {
      app_id: APP_ID,
      type: 'SYSTEM_USER',
      application: APP_NAME,
      data_access_expires_at: 0,
      expires_at: expiresAt,
      is_valid: problem === undefined,
      ...(problem && { error: { code: 190, message: problem.message, subcode: problem.subcode } }),
      scopes: [...scopes, 'public_profile'],
      granular_scopes: scopes.map((scope) => ({ scope, ...(businesses && { target_ids: businesses }) })),
      user_id: '122100000000001',
    },
  };
}

/** Returns why the token is invalid, or undefined when it is valid. */
export function problemOf(
  { expiresAt, isRevoked }: AppToken,
  nowMs: number,
): { message: string; subcode: number } | undefined {
  if (isRevoked) return { message: 'Error validating access token: The session has been invalidated.', subcode: 460 };
  if (expiresAt > 0 && expiresAt * 1_000 <= nowMs)
    return { message: 'Error validating access token: Session has expired', subcode: 463 };
  return undefined;
}
