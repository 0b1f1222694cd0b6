import {
  Activity,
  BookOpen,
  ChartColumn,
  ContactRound,
  House,
  KeyRound,
  Layers,
  LayoutTemplate,
  Lock,
  type LucideIcon,
  Phone,
  Settings2,
  Mails,
  MessageCircle,
  MessageSquareText,
  ShieldCheck,
  UserRound,
  Users,
  WalletCards,
  Webhook,
} from 'lucide-react';

import { useMemo } from 'react';
import type { Role } from '../api/client';
import { hasRole, useMe } from '../api/session';

export interface NavigationItem {
  to: string;
  text: string;
  icon: LucideIcon;
  group: string;
  /** Key that opens the page after `g`. */
  key: string;
  /** Lowest role that can open the page. */
  role?: Role;
}

/** Pages in the navigation, the command palette and the `g` shortcuts. The palette itself opens the search page. */
const NAVIGATION_ITEMS: readonly NavigationItem[] = [
  { to: '/', text: 'Overview', icon: House, group: '', key: 'o' },
  { to: '/conversations', text: 'Conversations', icon: MessageCircle, group: 'Messaging', key: 'c' },
  { to: '/messages', text: 'Messages', icon: Mails, group: 'Messaging', key: 'e' },
  { to: '/contacts', text: 'Contacts', icon: ContactRound, group: 'Messaging', key: 'b' },
  { to: '/saved-replies', text: 'Saved replies', icon: MessageSquareText, group: 'Messaging', key: 'r' },
  { to: '/templates', text: 'Templates', icon: LayoutTemplate, group: 'Templates', key: 't' },
  { to: '/one-time-passwords', text: 'One-time passwords', icon: Lock, group: 'Templates', key: 'x' },
  { to: '/jobs', text: 'Jobs', icon: Layers, group: 'Jobs', key: 'j' },
  { to: '/results', text: 'Results', icon: ChartColumn, group: 'Jobs', key: 'q' },
  {
    to: '/integrations/messaging/webhook-settings',
    text: 'Webhook settings',
    icon: Webhook,
    group: 'Integrations',
    key: 'w',
  },
  { to: '/integrations/webhook-log', text: 'Webhook log', icon: Activity, group: 'Integrations', key: 'l' },
  { to: '/keys', text: 'API keys', icon: KeyRound, group: 'Integrations', key: 'k' },
  { to: '/api-guide', text: 'API guide', icon: BookOpen, group: 'Integrations', key: 'd' },
  { to: '/numbers', text: 'Numbers', icon: Phone, group: 'Account', key: 'n' },
  { to: '/usage', text: 'Plan and usage', icon: WalletCards, group: 'Account', key: 'u' },
  { to: '/settings', text: 'Settings', icon: Settings2, group: 'Account', key: 's' },
  { to: '/team', text: 'Team', icon: Users, group: 'Account', key: 'm', role: 'owner' },
  { to: '/audit', text: 'Audit log', icon: ShieldCheck, group: 'Account', key: 'a', role: 'owner' },
  { to: '/profile', text: 'Profile', icon: UserRound, group: 'Account', key: 'p' },
];

/** Returns the pages that the signed-in user can open. */
export function useNavigationItems(): readonly NavigationItem[] {
  const { me } = useMe();
  const own = me.user.role;
  return useMemo(() => NAVIGATION_ITEMS.filter(({ role = 'viewer' }) => hasRole(own, role)), [own]);
}
