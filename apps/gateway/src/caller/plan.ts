/** What a plan can hold besides numbers (spec §2.3). */
export const PLAN_FEATURES = ['BULK_MSG_LIMIT', 'BULK_EXCEL', 'MEDIA', 'THIRD_PARTY_API'] as const;
export type PlanFeature = (typeof PLAN_FEATURES)[number];

/** What an account may do, and how much of it. */
export interface Plan {
  name: string;
  features: string[];
  /** Recipients per bulk call. */
  bulkRecipients: number;
  /** Rows per spreadsheet. */
  excelRows: number;
  /** Requests per window and API client. */
  rateLimit: number;
  rateWindowSeconds: number;
  /** Requests at once. */
  rateBurst: number;
  /** Utility credits. */
  monthlyCredits: number;
}
