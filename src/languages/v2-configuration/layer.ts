import type { Capacity, Container, Layer, LoadBalancer } from '../../model/stack-model.ts';
import {
  defaultGitReference,
  defaultHealthCheck,
  defaultIngress,
  defaultListener,
  everythingOut,
  groupScaling,
  groupTimes,
  imagePath,
} from '../defaults.ts';
import { sealedName } from '../placeholders.ts';
import { layerFlag, monitoringAddon } from './secrets.ts';
import type { Settled } from './settle.ts';

/** The model contains a secret's name, which is in its placeholder, never its value. */
const secretName = (text: string | undefined): string | null => sealedName(text ?? '');

const compileCapacity = (configuration: Settled['configuration']): Capacity => {
  const { architecture, min, max, spotRange = 0, scaling, targetCpu, targetRequests } = configuration;
  if (architecture === 'art_single') return { kind: 'fixed', count: 1 };
  return {
    kind: 'group',
    min,
    max,
    spotPercent: spotRange,
    zones: [],
    subnetsOf: [],
    securityGroupsOf: [],
    ...groupTimes,
    scaling: groupScaling({ isEnabled: scaling, cpu: targetCpu, requests: targetRequests }),
  };
};

const balancer: LoadBalancer = {
  kind: 'classic',
  scheme: 'internet-facing',
  subnetsOf: [layerFlag],
  securityGroupsOf: [layerFlag],
  listeners: [defaultListener],
  healthCheck: defaultHealthCheck,
};

const compileContainer = ({ configuration, server }: Settled): Container | null => {
  const { image, code } = configuration;
  if (image === undefined && code === undefined) return null;
  const monitoringKey = secretName(server.monitoring);
  return {
    image: imagePath(image),
    registryUsername: configuration.dockerHubUsername ?? null,
    registryPasswordSecret: secretName(configuration.dockerHubPassword),
    codeDirectory: server.codeDir ?? null,
    codeSource: configuration.codeSource ?? 'git',
    gitRepository: code ?? null,
    gitReference: configuration.gitReference ?? defaultGitReference,
    gitPrivateKeySecret: secretName(configuration.gitPrivateKey),
    ports: server.ports ?? [],
    environment: Object.fromEntries(server.environmentVariables.map(({ name, value }) => [name, value])),
    users: [],
    addons: monitoringKey === null ? [] : [{ name: monitoringAddon, apiKeySecret: monitoringKey }],
    storage: null,
  };
};

/** The only layer of a v2 stack. What v2 cannot express has the default of a template's web layer. */
export const compileLayer = (settled: Settled): Layer => ({
  flag: layerFlag,
  role: 'web',
  zone: null,
  instanceType: settled.configuration.type,
  machineImage: null,
  volume: { type: null, sizeGib: null },
  keyPair: true,
  subnet: { cidr: '10.0.0.0/24', public: true, assignPublicIp: true },
  networkAcl: [],
  securityGroup: { ingress: defaultIngress('web', true), egress: [everythingOut] },
  capacity: compileCapacity(settled.configuration),
  loadBalancer: settled.configuration.architecture === 'art_elb' ? balancer : null,
  container: compileContainer(settled),
});
