import { at, type Problem } from '../../../basics/problem.ts';
import type { Container, Layer } from '../../../model/stack-model.ts';
import type { Checked } from '../compile/context.ts';
import { isInObjectStore } from '../compile/identity.ts';
import { isReachable, isSecure } from '../compile/user-data.ts';
import { hasRoute } from '../compile/way-out.ts';
import { guardsOf, hasServers, homesOf } from '../layout/placement.ts';

/** What is wrong with the container of a layer, and with the way its agents go. */
export function containerProblems(checked: Checked, layer: Layer, path: string): Problem[] {
  const { container } = layer;
  if (!container) return [];
  return [
    ...addressProblems(checked.baseUrl, at(path, 'container')),
    ...codeProblems(container, at(path, 'container/gitRepository')),
    ...storageProblems(container, at(path, 'container/storage')),
    ...wayProblems(checked, layer, path),
  ];
}

function addressProblems(baseUrl: string, path: string): Problem[] {
  if (!isReachable(baseUrl))
    return [
      {
        path,
        message: `Servers in the cloud could never reach Almanac at ${baseUrl}. Set ALM_BASE_URL to an address they can.`,
      },
    ];
  if (isSecure(baseUrl)) return [];
  return [
    {
      path,
      message: `Servers in the cloud fetch their agent from ${baseUrl}, where others could change it on the way. Set ALM_BASE_URL to an address with https.`,
    },
  ];
}

/** The path becomes part of what the servers may read. */
function codeProblems(container: Container, path: string): Problem[] {
  if (!isInObjectStore(container) || !/[*?]/.test(container.gitRepository ?? '')) return [];
  const message = 'A path in the object store must not hold * or ?: they would stand for other objects.';
  return [{ path, message }];
}

/**
 * Every stack has a network of its own, and a network file system has doors in one network only: no server could ever
 * mount one that was there before the stack.
 */
function storageProblems({ storage }: Container, path: string): Problem[] {
  if (!storage || storage.kind === 'local') return [];
  const message = `Servers on AWS cannot mount ${storage.kind} storage yet: they are in a network of their own. Use local storage, or keep files in an object store.`;
  return [{ path, message }];
}

/** Agents must reach Almanac, and their packages and images. */
function wayProblems({ model }: Checked, layer: Layer, path: string): Problem[] {
  const problems: Problem[] = [];
  if (!hasServers(layer)) return problems;
  const shut = homesOf(model, layer).find((home) => !hasRoute(home));
  if (shut)
    problems.push({
      path: at('layers', model.layers.indexOf(shut), 'subnet/assignPublicIp'),
      message: `The agents of layer ${layer.flag} cannot reach Almanac: give servers public addresses, or make the subnet private.`,
    });
  const rules = guardsOf(model, layer).flatMap(({ securityGroup }) => securityGroup.egress);
  if (!rules.some(({ protocol }) => protocol === 'tcp' || protocol === 'all'))
    problems.push({
      path: at(path, 'securityGroup/egress'),
      message: 'Its agents cannot reach Almanac: no rule lets tcp out.',
    });
  return problems;
}
