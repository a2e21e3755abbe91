import { addressOf, pages } from '../address/pages.ts';
import type { IconName } from '../parts/icons.tsx';
import type { Session } from '../session/session.ts';

export interface Destination {
  to: string;
  label: string;
  icon: IconName;
  /** Absent: for every user. Hidden from users who may do none of these for anything. */
  actions?: readonly string[];
}

interface Section {
  title: string | null;
  destinations: readonly Destination[];
}

/** The menu. Sections that a user can never use are not in it. */
const sections: readonly Section[] = [
  {
    title: null,
    destinations: [
      { to: addressOf(pages.stacks), label: 'Stacks', icon: 'stacks' },
      { to: addressOf(pages.compare), label: 'Compare', icon: 'compare' },
      { to: addressOf(pages.credentials), label: 'Credentials', icon: 'key' },
    ],
  },
  {
    title: 'Access',
    destinations: [
      { to: addressOf(pages.users), label: 'Users', icon: 'user' },
      { to: addressOf(pages.roles), label: 'Roles', icon: 'shield' },
      { to: addressOf(pages.clients), label: 'API clients', icon: 'code' },
    ],
  },
  {
    title: 'Service',
    destinations: [
      { to: addressOf(pages.audit), label: 'Audit', icon: 'audit' },
      { to: addressOf(pages.sandbox), label: 'Sandbox', icon: 'flask' },
    ],
  },
];

type Allowed = Pick<Session, 'actions'>;

const isUseful = ({ actions }: Destination, session: Allowed): boolean =>
  actions === undefined || actions.some((action) => session.actions?.[action] ?? false);

export const sectionsFor = (session: Allowed): Section[] =>
  sections
    .map(({ title, destinations }) => ({
      title,
      destinations: destinations.filter((destination) => isUseful(destination, session)),
    }))
    .filter(({ destinations }) => destinations.length > 0);
