import { type ComponentType, createElement } from 'react';
import { pages } from './address/pages.ts';
import { Loading } from './parts/messages/empty.tsx';
import { loadedLater, type Preloaded } from './parts/page/loaded-later.ts';
import Stacks from './stacks/screen.tsx';

type Screen = ComponentType & Partial<Preloaded>;

const later = (loading: () => Promise<{ default: ComponentType }>): Screen =>
  loadedLater(loading, { placeholder: createElement(Loading, { what: 'the page' }) });

/** The screen of every address. Each is a file of its own, except the first that people see. */
export const screens: readonly (readonly [path: string, screen: Screen])[] = [
  [pages.stacks, Stacks],
  [pages.newStack, later(() => import('./change/new.tsx'))],
  [pages.stack, later(() => import('./stack/overview.tsx'))],
  [pages.events, later(() => import('./stack/events.tsx'))],
  [pages.instances, later(() => import('./stack/instances.tsx'))],
  [pages.versions, later(() => import('./versions/screen.tsx'))],
  [pages.drift, later(() => import('./stack/drift.tsx'))],
  [pages.stackData, later(() => import('./data/of-stack.tsx'))],
  [pages.settings, later(() => import('./stack/settings.tsx'))],
  [pages.edit, later(() => import('./change/edit.tsx'))],
  [pages.compare, later(() => import('./versions/compare.tsx'))],
  [pages.data, later(() => import('./data/screen.tsx'))],
  [pages.credentials, later(() => import('./credentials/screen.tsx'))],
  [pages.images, later(() => import('./images/screen.tsx'))],
  [pages.image, later(() => import('./images/repository.tsx'))],
  [pages.users, later(() => import('./access/users.tsx'))],
  [pages.user, later(() => import('./access/user.tsx'))],
  [pages.roles, later(() => import('./access/roles.tsx'))],
  [pages.role, later(() => import('./access/role.tsx'))],
  [pages.clients, later(() => import('./access/clients.tsx'))],
  [pages.audit, later(() => import('./audit/screen.tsx'))],
  [pages.sandbox, later(() => import('./sandbox/screen.tsx'))],
  [pages.handOver, later(() => import('./passkeys/hand-over.tsx'))],
  [pages.me, later(() => import('./me/screen.tsx'))],
];

const isAt = (page: string, path: string): boolean =>
  new RegExp(`^${page.replace(/:\w+/g, '[^/]+')}$`).test(path);

/** Loads the code of the screen at this path below /console. If that fails, showing it tries again. */
export async function preloadScreen(path: string): Promise<void> {
  const [, screen] = screens.find(([page]) => isAt(page, path)) ?? [];
  await screen?.preload?.().catch(() => undefined);
}
