import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { pages } from './address/pages.ts';
import Stacks from './stacks/screen.tsx';

type Screen = ComponentType | LazyExoticComponent<ComponentType>;

/** The screen of every address. Each is a file of its own, except the first that people see. */
export const screens: readonly (readonly [path: string, screen: Screen])[] = [
  [pages.stacks, Stacks],
  [pages.newStack, lazy(() => import('./change/new.tsx'))],
  [pages.stack, lazy(() => import('./stack/overview.tsx'))],
  [pages.events, lazy(() => import('./stack/events.tsx'))],
  [pages.instances, lazy(() => import('./stack/instances.tsx'))],
  [pages.versions, lazy(() => import('./versions/screen.tsx'))],
  [pages.drift, lazy(() => import('./stack/drift.tsx'))],
  [pages.settings, lazy(() => import('./stack/settings.tsx'))],
  [pages.edit, lazy(() => import('./change/edit.tsx'))],
  [pages.compare, lazy(() => import('./versions/compare.tsx'))],
  [pages.credentials, lazy(() => import('./credentials/screen.tsx'))],
  [pages.images, lazy(() => import('./images/screen.tsx'))],
  [pages.image, lazy(() => import('./images/repository.tsx'))],
  [pages.users, lazy(() => import('./access/users.tsx'))],
  [pages.user, lazy(() => import('./access/user.tsx'))],
  [pages.roles, lazy(() => import('./access/roles.tsx'))],
  [pages.role, lazy(() => import('./access/role.tsx'))],
  [pages.clients, lazy(() => import('./access/clients.tsx'))],
  [pages.audit, lazy(() => import('./audit/screen.tsx'))],
  [pages.sandbox, lazy(() => import('./sandbox/screen.tsx'))],
  [pages.me, lazy(() => import('./me/screen.tsx'))],
];
