import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { shellQuote } from '../../../basics/shell-quote.ts';
import type { Layer } from '../../../model/stack-model.ts';
import { filledScript, hasAgent } from '../../shared/agents.ts';
import { type Json, parameter, replaceIn } from '../document.ts';
import { agentTokenParameter } from '../names.ts';
import type { Context } from './context.ts';
import { mountLines } from './mount-data.ts';

const script = readFileSync(new URL('./user-data.sh', import.meta.url), 'utf8');
const tokenMark = '@agent_token@';

/**
 * The script of a server's first start: see user-data.sh. It does not depend on traffic rules or containers, because a
 * change replaces the servers of groups. The token is a hidden parameter.
 */
export function userDataText({ stackId, baseUrl }: Context, { flag }: Layer): string {
  const values = {
    INSTALL_URL: shellQuote(`${baseUrl}/agent/install.sh`),
    SERVER: shellQuote(baseUrl),
    STACK: shellQuote(stackId),
    FLAG: shellQuote(flag),
  };
  return filledScript(script, values);
}

/** Where the agent keeps the files of containers on servers that have a volume for them. */
const filesDirectory = '/var/lib/almanac/files';

/** Undefined: the servers of the layer have no agent. */
export function userData(context: Context, layer: Layer): Json | undefined {
  if (!hasAgent(context, layer)) return undefined;
  const { data } = context.choices.servers[layer.flag] ?? {};
  const lines = `${mountLines(filesDirectory)}export ALM_AGENT_STORAGE_DIR=${filesDirectory}\n`;
  // Also without files: a container may have some later. Not in groups: the lines would replace their servers.
  const first = data && layer.capacity.kind === 'fixed' ? lines : '';
  const text = userDataText(context, layer).replace(/^#!.*\n/, (start) => `${start}${first}`);
  return replaceIn(text, { [tokenMark]: parameter(agentTokenParameter) });
}

/** Equal for launches of which none replaces a server of the other. */
export const launchMark = (launch: unknown): string =>
  createHash('sha256').update(JSON.stringify(launch)).digest('hex').slice(0, 8);
