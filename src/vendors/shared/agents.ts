import { at, type Problem } from '../../basics/problem.ts';
import type { Layer, StackModel } from '../../model/stack-model.ts';
import { hasServers, securityGroupLayers } from './layers.ts';

/** Host names that mean the server itself. */
const localHost = /^(localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[::1?\]|\[::ffff:7f.*\])$/;

const isReachable = (baseUrl: string): boolean =>
  URL.canParse(baseUrl) && !localHost.test(new URL(baseUrl).hostname);

/** Servers run downloads from this URL as root, so they must be protected against modification. */
const isSecure = (baseUrl: string): boolean =>
  URL.canParse(baseUrl) && new URL(baseUrl).protocol === 'https:';

/**
 * Whether the servers of a layer have an agent. They have one even without a container: a container added later reaches
 * running servers only through an agent. Servers that cannot download the agent run without it.
 */
export const hasAgent = ({ baseUrl }: { baseUrl: string }, layer: Layer): boolean =>
  hasServers(layer) && isReachable(baseUrl) && isSecure(baseUrl);

/** Whether traffic rules let the agents of a layer reach anything. */
export const mayConnect = ({ model }: { model: StackModel }, layer: Layer): boolean =>
  securityGroupLayers(model, layer).some(({ securityGroup }) =>
    securityGroup.egress.some(({ protocol }) => protocol === 'tcp' || protocol === 'all'),
  );

/** Agents must reach Almanac, package repositories and image registries. */
export function egressProblems(context: { model: StackModel }, layer: Layer, path: string): Problem[] {
  if (!hasServers(layer) || mayConnect(context, layer)) return [];
  const message = 'The agents cannot reach Almanac: no egress rule allows tcp. Add one.';
  return [{ path: at(path, 'securityGroup/egress'), message }];
}

/** Problems of the address at which agents find Almanac. */
export function addressProblems(baseUrl: string, path: string): Problem[] {
  if (!isReachable(baseUrl))
    return [
      {
        path,
        message: `Servers in the cloud cannot reach Almanac at ${baseUrl}. Set ALM_BASE_URL to an address they can reach.`,
      },
    ];
  if (isSecure(baseUrl)) return [];
  return [
    {
      path,
      message: `Servers in the cloud download their agent from ${baseUrl} without encryption, so it could be modified in transit. Set ALM_BASE_URL to an https address.`,
    },
  ];
}

const commentLines = /^# .*\n/gm;
const placeholders = /__([A-Z]+(?:_[A-Z]+)*)__/g;

/** A script for servers without its comments, and with values in place of `__NAME__`. */
export const filledScript = (script: string, values: Readonly<Record<string, string>>): string =>
  script
    .replaceAll(commentLines, '')
    .replaceAll(placeholders, (placeholder, name: string) => values[name] ?? placeholder);
