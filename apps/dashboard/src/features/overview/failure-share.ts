/** Share of failed messages above which the overview asks for attention. */
const MOST_FAILED = 0.05;
const BAD_SHARE = 0.2;

/** Returns the urgency of the failures; undefined below the threshold. */
export function urgencyOf({ sent, failed }: { sent: number; failed: number }): 'warning' | 'bad' | undefined {
  if (sent === 0 || failed / sent <= MOST_FAILED) return undefined;
  return failed / sent > BAD_SHARE ? 'bad' : 'warning';
}
