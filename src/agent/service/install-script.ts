import { readFileSync } from 'node:fs';
import { shellQuote } from '../../basics/shell-quote.ts';

const template = readFileSync(new URL('./install.sh', import.meta.url), 'utf8');

/** The script for `curl <base>/agent/install.sh | sh -s -- …`: see install.sh. */
export const installScript = (baseUrl: string, bundleSha256: string): string =>
  template
    .replace('__SERVER_URL__', () => shellQuote(baseUrl.replace(/\/+$/, '')))
    .replace('__AGENT_SHA256__', () => shellQuote(bundleSha256));
