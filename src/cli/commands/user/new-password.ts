import { usageError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import { askSecret } from '../../prompt/prompt.ts';

/** Reads `--password`, or prompts twice because the input is hidden. */
export async function newPassword({ args, system }: Context, label: string): Promise<string> {
  const flag = args.text('password');
  if (flag !== undefined) return flag;
  const first = await askSecret(system, `${label}: `, '--password');
  if ((await askSecret(system, `${label} again: `, '--password')) === first) return first;
  throw usageError('The passwords do not match.', 'Nothing was sent. Try again.');
}
