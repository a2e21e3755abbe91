import { at, type Problem } from '../../../basics/problem.ts';
import { isEncrypted } from '../../shared/listeners.ts';
import type { Choices } from '../choices.ts';
import type { DecideInput } from './decide-input.ts';

interface Found<Value> {
  value: Value;
  problems: Problem[];
}

/** The network behind the router: the one the document names, the one of the version before, or the only one. */
export function decideExternalNetwork({ model, offer, kept }: DecideInput): Found<string> {
  const { externalNetworks: networks } = offer;
  const asked = model.vendorOptions?.externalNetwork ?? null;
  const named = networks.find(({ id, name }) => id === asked || name === asked);
  const list = networks.map(({ name }) => name).join(', ');
  const refuse = (message: string, path = 'vendor'): Found<string> => ({
    value: '',
    problems: [{ path, message }],
  });
  if (asked !== null)
    return named
      ? { value: named.id, problems: [] }
      : refuse(`There is no external network ${asked}. Use one of ${list}.`, 'vendorOptions/externalNetwork');
  const found = networks.find(({ id }) => id === kept.externalNetwork);
  if (kept.externalNetwork !== '' && !found)
    return refuse(
      `External network ${kept.externalNetwork}, which the stack uses, is no longer offered. Name another as external_network in the vendor section, one of ${list}: public addresses change.`,
    );
  const only = networks.length === 1 ? networks[0] : undefined;
  const chosen = found ?? only;
  if (chosen) return { value: chosen.id, problems: [] };
  return networks.length === 0
    ? refuse(
        'The project has no external network, so servers could not reach the internet. Ask the operator of the cloud for one.',
      )
    : refuse(
        `The cloud has several external networks: ${list}. Name one as external_network in the vendor section.`,
      );
}

/** Where networks have zones: the zone of the first layer that names one. */
export function decideZone({ model, offer, kept, dialect }: DecideInput): string {
  if (!dialect.zonedNetworks) return '';
  const named = model.layers.flatMap(({ zone, capacity }) => [
    ...(zone === null ? [] : [zone]),
    ...(capacity.kind === 'group' ? capacity.zones : []),
  ]);
  return (kept.zone || named[0] || offer.zones.servers[0]) ?? '';
}

export function zoneProblems({ model, offer }: DecideInput): Problem[] {
  const { servers: zones } = offer.zones;
  const check = (zone: string, path: string): Problem[] =>
    zones.includes(zone)
      ? []
      : [{ path, message: `There is no zone ${zone} in ${model.region}. Use one of ${zones.join(', ')}.` }];
  return model.layers.flatMap(({ zone, capacity }, index) => [
    ...(zone === null ? [] : check(zone, at('layers', index, 'zone'))),
    ...(capacity.kind === 'group'
      ? capacity.zones.flatMap((each, position) =>
          check(each, at('layers', index, 'capacity/zones', position)),
        )
      : []),
  ]);
}

export const balancerServiceProblems = ({ model, offer, dialect }: DecideInput): Problem[] =>
  dialect.ownServices || offer.services.has('load-balancer')
    ? []
    : model.layers.flatMap(({ loadBalancer }, index) =>
        loadBalancer
          ? [
              {
                path: at('layers', index, 'loadBalancer'),
                message:
                  'The cloud has no load balancers (Octavia). Give the servers public addresses instead, or use another cloud.',
              },
            ]
          : [],
      );

/** Certificates by domain. Their names are looked up again: a renewed one has another reference. */
export function decideCertificates({ model, offer, dialect }: DecideInput): Found<Choices['certificates']> {
  const value: Record<string, string> = {};
  const problems: Problem[] = [];
  if (dialect.ownServices) return { value, problems };
  for (const [index, { loadBalancer }] of model.layers.entries())
    for (const [position, listener] of (loadBalancer?.listeners ?? []).entries()) {
      const { certificateDomain: domain } = listener;
      if (!isEncrypted(listener) || domain === null) continue;
      const path = at('layers', index, 'loadBalancer/listeners', position, 'certificateDomain');
      const found = offer.certificates.find(({ name }) => name === domain);
      if (found) value[domain] = found.reference;
      else if (!offer.services.has('key-manager')) problems.push({ path, message: noKeyManager });
    }
  return { value, problems };
}

const noKeyManager =
  'The cloud has no key manager (Barbican), so its load balancers have no certificates. Use tcp, and let the servers decrypt.';
