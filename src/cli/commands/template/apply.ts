import { usageError } from '../../cli-error.ts';
import type { Run } from '../../command.ts';
import { createStack } from '../stack/create.ts';
import { updateFromTemplate } from '../stack/update.ts';

export const applyTemplate: Run = async (context) => {
  const { args } = context;
  if (!args.has('id')) return createStack(context);
  if (args.has('nickname'))
    throw usageError('--nickname is valid only for a new stack and cannot be used with --id.');
  return updateFromTemplate(context);
};
