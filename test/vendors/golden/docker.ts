import type { StackModel } from '../../../src/model/stack-model.ts';
import { compile } from '../../../src/vendors/docker/compile.ts';

/** The docker vendor rejects protocols that need certificates. These are the plain protocols to use instead. */
const plainProtocol: Readonly<Record<string, 'http' | 'tcp'>> = { https: 'http', ssl: 'tcp' };

function withoutCertificates(model: StackModel): StackModel {
  const layers = model.layers.map((layer) => {
    if (!layer.loadBalancer) return layer;
    const listeners = layer.loadBalancer.listeners.map((listener) => {
      const protocol = plainProtocol[listener.protocol] ?? listener.protocol;
      return { ...listener, protocol };
    });
    return { ...layer, loadBalancer: { ...layer.loadBalancer, listeners } };
  });
  return { ...model, layers };
}

export const compileForDocker = (model: StackModel) => compile(withoutCertificates(model));
