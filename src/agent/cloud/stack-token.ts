import { readFile } from 'node:fs/promises';
import type { Settings } from '../settings.ts';
import { readSecretParameter } from './alicloud.ts';
import type { AwsAccess } from './aws.ts';
import { readParameter } from './aws.ts';

interface Wanted {
  settings: Settings;
  aws: AwsAccess;
  source: string;
}

const readers = {
  ssm: ({ aws, source }: Wanted) => readParameter(aws, source),
  oos: ({ settings, aws, source }: Wanted) =>
    readSecretParameter({ ...aws, endpoint: settings.alicloudEndpoint }, source),
  file: ({ source }: Wanted) => readFile(source, 'utf8'),
} as const;

/** Reads the stack's token. Reads its source on each call, so that a rotated token needs no restart. */
export async function readStackToken(settings: Settings, aws: AwsAccess): Promise<string> {
  const { token, tokenFrom = '' } = settings;
  if (token !== undefined) return token;
  const [, kind, source = ''] = /^(\w+):(.*)$/.exec(tokenFrom) ?? [];
  const found = await readers[kind as keyof typeof readers]({ settings, aws, source });
  if (found.trim() === '') throw new Error(`${tokenFrom} contains no token.`);
  return found.trim();
}
