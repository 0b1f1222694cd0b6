/** Matches any character other than blanks, controls, fillers, and marks without a base letter. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{M}\u115F\u1160\u3164\uFFA0\u2800]/u;

/** Returns the name, or null when it is missing or invisible. */
export const visibleName = (name: string | null | undefined): string | null =>
  name != null && VISIBLE.test(name) ? name : null;
