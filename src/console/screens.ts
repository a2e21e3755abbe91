import type { ComponentType } from 'react';
import { pages } from './address/pages.ts';
import { loadedLater, type Preloaded } from './parts/page/loaded-later.ts';
import Stacks from './stacks/screen.tsx';

type Screen = ComponentType & Partial<Preloaded>;

/** The screen of every address. Each is a file of its own, except the first that people see. */
export const screens: readonly (readonly [path: string, screen: Screen])[] = [
  [pages.stacks, Stacks],
  [pages.newStack, loadedLater(() => import('./change/new.tsx'))],
  [pages.stack, loadedLater(() => import('./stack/overview.tsx'))],
  [pages.events, loadedLater(() => import('./stack/events.tsx'))],
  [pages.instances, loadedLater(() => import('./stack/instances.tsx'))],
  [pages.versions, loadedLater(() => import('./versions/screen.tsx'))],
  [pages.drift, loadedLater(() => import('./stack/drift.tsx'))],
  [pages.settings, loadedLater(() => import('./stack/settings.tsx'))],
  [pages.edit, loadedLater(() => import('./change/edit.tsx'))],
  [pages.compare, loadedLater(() => import('./versions/compare.tsx'))],
  [pages.credentials, loadedLater(() => import('./credentials/screen.tsx'))],
  [pages.images, loadedLater(() => import('./images/screen.tsx'))],
  [pages.image, loadedLater(() => import('./images/repository.tsx'))],
  [pages.users, loadedLater(() => import('./access/users.tsx'))],
  [pages.user, loadedLater(() => import('./access/user.tsx'))],
  [pages.roles, loadedLater(() => import('./access/roles.tsx'))],
  [pages.role, loadedLater(() => import('./access/role.tsx'))],
  [pages.clients, loadedLater(() => import('./access/clients.tsx'))],
  [pages.audit, loadedLater(() => import('./audit/screen.tsx'))],
  [pages.sandbox, loadedLater(() => import('./sandbox/screen.tsx'))],
  [pages.me, loadedLater(() => import('./me/screen.tsx'))],
];

const isAt = (page: string, path: string): boolean =>
  new RegExp(`^${page.replace(/:\w+/g, '[^/]+')}$`).test(path);

/** Loads the code of the screen at this path below /console. If that fails, showing it tries again. */
export async function preloadScreen(path: string): Promise<void> {
  const [, screen] = screens.find(([page]) => isAt(page, path)) ?? [];
  await screen?.preload?.().catch(() => undefined);
}
