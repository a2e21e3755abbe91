import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { shellQuote } from '../../../basics/shell-quote.ts';
import type { Layer } from '../../../model/stack-model.ts';
import { filledScript, hasAgent } from '../../shared/agents.ts';
import { type Json, parameter, replaceIn } from '../document.ts';
import { agentTokenParameter } from '../names.ts';
import type { Context } from './context.ts';

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

/** Undefined: the servers of the layer have no agent. */
export const userData = (context: Context, layer: Layer): Json | undefined =>
  hasAgent(context, layer)
    ? replaceIn(userDataText(context, layer), { [tokenMark]: parameter(agentTokenParameter) })
    : undefined;

/** Equal for launches of which none replaces a server of the other. */
export const launchMark = (launch: unknown): string =>
  createHash('sha256').update(JSON.stringify(launch)).digest('hex').slice(0, 8);
