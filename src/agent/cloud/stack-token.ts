import { readFile } from 'node:fs/promises';
import type { Settings } from '../settings.ts';
import type { AwsAccess } from './aws.ts';
import { readParameter } from './aws.ts';

/** What the agent signs in with. Read anew each time, so that a new one is found without a restart. */
export async function readStackToken(settings: Settings, aws: AwsAccess): Promise<string> {
  const { token, tokenFrom = '' } = settings;
  if (token !== undefined) return token;
  const [, kind, place = ''] = /^(\w+):(.*)$/.exec(tokenFrom) ?? [];
  const found = kind === 'ssm' ? await readParameter(aws, place) : await readFile(place, 'utf8');
  if (found.trim() === '') throw new Error(`There is no token in ${tokenFrom}.`);
  return found.trim();
}
