import {
  Activity,
  BookOpen,
  House,
  KeyRound,
  Layers,
  LayoutTemplate,
  type LucideIcon,
  ShieldCheck,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';

export interface Place {
  to: string;
  text: string;
  icon: LucideIcon;
  group: string;
  /** With `g` before it, leads there. */
  key: string;
}

/** Where the navigation, the palette and the `g` keys lead. */
export const PLACES: readonly Place[] = [
  { to: '/', text: 'Overview', icon: House, group: '', key: 'o' },
  { to: '/templates', text: 'Templates', icon: LayoutTemplate, group: 'Templates', key: 't' },
  { to: '/jobs', text: 'Jobs', icon: Layers, group: 'Jobs', key: 'j' },
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
  { to: '/team', text: 'Team', icon: Users, group: 'Account', key: 'm' },
  { to: '/audit', text: 'Audit', icon: ShieldCheck, group: 'Account', key: 'a' },
  { to: '/profile', text: 'Profile', icon: UserRound, group: 'Account', key: 'p' },
];
