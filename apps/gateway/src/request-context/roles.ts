/** What a user of the console may do; each role may do all that the ones before it may. */
export const ROLES = ['viewer', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Whether somebody with this role may do what needs `needed`. */
export function isAllowed(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
