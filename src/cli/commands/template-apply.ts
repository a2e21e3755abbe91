import type { Run } from '../command.ts';
import { createStack } from './stack-create.ts';
import { updateFromTemplate } from './stack-update.ts';

export const applyTemplate: Run = (context) =>
  context.given.has('id') ? updateFromTemplate(context) : createStack(context);
