/** Roles of console users, in ascending order; each includes the permissions of the previous ones. */
export const ROLES = ['viewer', 'agent', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Checks whether a role has the permissions of `needed`. */
export function isAllowed(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
