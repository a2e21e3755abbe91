import { readFile } from 'node:fs/promises';
import type { Settings } from '../settings.ts';
import type { AwsAccess } from './aws.ts';
import { readParameter } from './aws.ts';

/** Reads the stack's token. Reads its source on each call, so that a rotated token needs no restart. */
export async function readStackToken(settings: Settings, aws: AwsAccess): Promise<string> {
  const { token, tokenFrom = '' } = settings;
  if (token !== undefined) return token;
  const [, kind, source = ''] = /^(\w+):(.*)$/.exec(tokenFrom) ?? [];
  const found = kind === 'ssm' ? await readParameter(aws, source) : await readFile(source, 'utf8');
  if (found.trim() === '') throw new Error(`${tokenFrom} contains no token.`);
  return found.trim();
}
