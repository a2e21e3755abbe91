import type { Context } from '../command.ts';
import { ApiError } from '../net/api-error.ts';
import { askLine } from '../prompt/prompt.ts';

/** Calls with `--otp`, or prompts for a one-time code if the service requires one. */
export async function withCode<T>(
  { args, system }: Context,
  call: (code: { otp?: string }) => Promise<T>,
): Promise<T> {
  const given = args.text('otp');
  if (given !== undefined) return call({ otp: given });
  try {
    return await call({});
  } catch (error) {
    if (!(error instanceof ApiError) || error.body?.error !== 'mfa_required') throw error;
  }
  return call({ otp: await askLine(system, 'One-time code: ', '--otp') });
}
