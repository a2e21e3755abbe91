import type { Route } from './route.ts';
import { issueToken, revokeToken } from './v3/access.ts';
import { injectFault } from './v3/sandbox.ts';
import { deleteStack, describeStack, listEvents, listStacks } from './v3/stacks.ts';
import { applyTemplate, updateTemplate } from './v3/templates.ts';

export const v3Routes: readonly Route[] = [
  issueToken,
  revokeToken,
  applyTemplate,
  updateTemplate,
  listStacks,
  describeStack,
  deleteStack,
  listEvents,
  injectFault,
];
