import { readFileSync } from 'node:fs';
import { shellQuote } from '../../../basics/shell-quote.ts';
import type { Layer } from '../../../model/stack-model.ts';
import { filledScript, hasAgent } from '../../shared/agents.ts';
import { hostLayers } from '../../shared/capacity.ts';
import { agentTokenSecret } from '../names.ts';
import type { Context } from './context.ts';

/** Servers in a public VSwitch need a public address to reach the internet; a private one has a NAT gateway. */
export const hasRoute = ({ model }: Pick<Context, 'model'>, layer: Layer): boolean =>
  hostLayers(model, layer).every(({ subnet }) => !subnet.public || layer.subnet.assignPublicIp);

const script = readFileSync(new URL('./user-data.sh', import.meta.url), 'utf8');

/**
 * The script of a server's first start: see user-data.sh. It does not depend on traffic rules or containers, because a
 * change restarts servers. It contains no secret: the agent reads its token from OOS. Undefined: no agent.
 */
export function userData(context: Context, layer: Layer): string | undefined {
  if (!hasAgent(context, layer)) return undefined;
  const { model, stackId, baseUrl } = context;
  const values = {
    INSTALL_URL: shellQuote(`${baseUrl}/agent/install.sh`),
    SERVER: shellQuote(baseUrl),
    STACK: shellQuote(stackId),
    FLAG: shellQuote(layer.flag),
    TOKEN_FROM: shellQuote(`oos:${agentTokenSecret(stackId)}`),
    REGION: shellQuote(model.region),
  };
  return filledScript(script, values);
}
