/** Anything but blanks, controls, fillers and marks that belong to no letter. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{M}\u115F\u1160\u3164\uFFA0\u2800]/u;

/** @returns the name; null when there is none, or nothing of it can be seen */
export const visibleName = (name: string | null | undefined): string | null =>
  name != null && VISIBLE.test(name) ? name : null;
