import type { Role } from '../../api/client';

/** What each role may do. Each role may do what the ones before it may do. */
export const ROLE_TEXTS: readonly (readonly [role: Role, text: string])[] = [
  ['viewer', 'Reads everything except the team and the audit log, and downloads lists.'],
  ['agent', 'Answers and assigns conversations, names contacts and opts them out. Cannot download lists.'],
  ['admin', 'Manages templates, jobs, webhooks, labels and contacts.'],
  ['owner', 'Manages API keys, the team, retention and the spend cap, and reads the audit log.'],
];
