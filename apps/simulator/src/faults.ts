import { z } from 'zod';

/** Probability from 0 to 1. `true` means always, and `false` never. */
const rate = z.union([z.boolean().transform(Number), z.number().min(0).max(1)]).default(0);
const delayMs = z.number().int().min(0).max(600_000).default(0);

const faultsSchema = z.object({
  only: z
    .string()
    .default('')
    .describe(
      'Id of a number, a business or a template: latency, errors and silence meet calls of it alone; all calls when empty',
    ),
  latencyMs: delayMs.describe('Wait before a call of the Cloud API is looked at'),
  errorRate: rate.describe('Share of calls that are refused with errorCode'),
  errorCode: z.number().int().default(131016).describe('Code of injected errors'),
  hang: rate.describe('Share of calls that are never answered and do nothing'),
  dropAfterAccept: rate.describe('Share of sends that are accepted and whose connection is then destroyed'),
  uploadBreaks: rate.describe(
    'Share of resumable uploads whose connection breaks within the file; what arrived is kept',
  ),
  mediaGone: rate.describe('Share of downloads of media that are answered 404, as when the address is too old'),
  callbacks: z
    .object({
      lose: rate.describe('Share of updates that are never sent'),
      duplicate: rate.describe('Share of updates that are sent twice'),
      shuffle: rate.describe('Share of updates that are held back up to 2 s, so that later ones overtake them'),
      delayMs: delayMs.describe('Delay of every update'),
      beforeAnswer: rate.describe('Share of sends whose first status is received before the send is answered'),
      loseDelivered: rate.describe(
        'Share of messages whose status delivered never comes, as when they are read immediately',
      ),
      failAfterSent: rate.describe('Share of messages that are reported as sent and then as failed (131026)'),
    })
    .prefault({}),
});

export type Faults = z.output<typeof faultsSchema>;

export class FaultStore {
  current: Faults = faultsSchema.parse({});

  /** Replaces all faults; omitted ones are turned off. @returns validation problems, in which case nothing changes */
  replace(given: unknown): string[] {
    const result = faultsSchema.safeParse(given ?? {});
    if (!result.success) return result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    this.current = result.data;
    return [];
  }

  happens(share: number): boolean {
    return share > 0 && Math.random() < share;
  }

  reset(): void {
    this.current = faultsSchema.parse({});
  }
}
