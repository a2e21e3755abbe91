import type { Context } from '../../command.ts';
import { askSecret } from '../../prompt/prompt.ts';

/** Reads `--current-password`, or prompts for it. */
export const askPassword = async ({ args, system }: Context): Promise<string> =>
  args.text('current-password') ?? askSecret(system, 'Your password: ', '--current-password');
