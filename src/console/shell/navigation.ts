import type { Access } from '../../contract/route.ts';
import { addressOf, pages } from '../address/pages.ts';
import type { IconName } from '../parts/page/icons.tsx';
import type { Session } from '../session/session.ts';

type Action = Extract<Access, { action: string }>['action'];

interface Destination {
  to: string;
  label: string;
  icon: IconName;
  /** Absent: for every user. Hidden from users who may do none of these for anything. */
  actions?: readonly Action[];
  /** No role opens it. */
  masterOnly?: true;
  /** Only for services that have a container registry. */
  needsRegistry?: true;
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
      {
        to: addressOf(pages.data),
        label: 'Data',
        icon: 'database',
        actions: ['stack:describeStacks'],
      },
      {
        to: addressOf(pages.compare),
        label: 'Compare',
        icon: 'compare',
        actions: ['template:describeAlmTemplate'],
      },
      {
        to: addressOf(pages.credentials),
        label: 'Credentials',
        icon: 'key',
        actions: ['cred:describeCredentials', 'cred:createCredential'],
      },
      { to: addressOf(pages.images), label: 'Images', icon: 'server', needsRegistry: true },
    ],
  },
  {
    title: 'Access',
    destinations: [
      { to: addressOf(pages.users), label: 'Users', icon: 'user', masterOnly: true },
      { to: addressOf(pages.roles), label: 'Roles', icon: 'shield', masterOnly: true },
      { to: addressOf(pages.clients), label: 'API clients', icon: 'code', masterOnly: true },
    ],
  },
  {
    title: 'Service',
    destinations: [
      { to: addressOf(pages.audit), label: 'Audit', icon: 'audit', masterOnly: true },
      { to: addressOf(pages.sandbox), label: 'Sandbox', icon: 'flask', masterOnly: true },
    ],
  },
];

type Allowed = Partial<Pick<Session, 'actions' | 'user' | 'registry'>>;

function isUseful({ actions, masterOnly, needsRegistry }: Destination, session: Allowed): boolean {
  if (needsRegistry && !session.registry?.url) return false;
  if (masterOnly) return session.user?.master ?? false;
  return actions === undefined || actions.some((action) => session.actions?.[action] ?? false);
}

export const sectionsFor = (session: Allowed): Section[] =>
  sections
    .map(({ title, destinations }) => ({
      title,
      destinations: destinations.filter((destination) => isUseful(destination, session)),
    }))
    .filter(({ destinations }) => destinations.length > 0);
