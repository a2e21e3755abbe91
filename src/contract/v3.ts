import type { Route } from './route.ts';
import { accessRoutes } from './v3/access.ts';
import { sandboxRoutes } from './v3/sandbox.ts';
import { stackRoutes } from './v3/stacks.ts';
import { templateRoutes } from './v3/templates.ts';

export const v3Routes: readonly Route[] = [
  ...accessRoutes,
  ...templateRoutes,
  ...stackRoutes,
  ...sandboxRoutes,
];
