import { usageError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import { askSecret } from '../../prompt/prompt.ts';

/** `--password`, or asked for twice: nobody sees what they type. */
export async function newPassword({ args, system }: Context, label: string): Promise<string> {
  const written = args.text('password');
  if (written !== undefined) return written;
  const first = await askSecret(system, `${label}: `, '--password');
  if ((await askSecret(system, `${label} again: `, '--password')) === first) return first;
  throw usageError('The two passwords are not the same.', 'Nothing was sent; try again.');
}
