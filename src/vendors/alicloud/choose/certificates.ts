import { at, type Problem } from '../../../basics/problem.ts';
import { isEncrypted } from '../../shared/listeners.ts';
import type { Choices } from '../choices.ts';
import type { Certificate } from './cloud-facts.ts';
import type { Decided, DecideInput } from './decide-input.ts';

/** A wildcard stands for one label. */
const covers = ({ domains }: Certificate, domain: string): boolean =>
  domains.some((name) => name === domain || name === domain.replace(/^[^.]+/, '*'));

/** Certificates by domain: the one of the version before while it is valid, else the one that is valid longest. */
export function decideCertificates({ model, offer, kept }: DecideInput): Decided<Choices['certificates']> {
  const value: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const [index, { loadBalancer }] of model.layers.entries())
    for (const [position, listener] of (loadBalancer?.listeners ?? []).entries()) {
      const { certificateDomain: domain } = listener;
      if (!isEncrypted(listener) || domain === null) continue;
      const valid = offer.certificates
        .filter((certificate) => covers(certificate, domain) && certificate.expiresAt > offer.now)
        .toSorted((one, other) => other.expiresAt - one.expiresAt);
      const found = valid.find(({ id }) => id === kept.certificates[domain]) ?? valid[0];
      if (found) value[domain] = found.id;
      else
        problems.push({
          path: at('layers', index, 'loadBalancer/listeners', position, 'certificateDomain'),
          message: `The account has no valid certificate for ${domain} among the server certificates of its load balancers (SLB) in ${model.region}. Upload one.`,
        });
    }
  return { value, problems };
}
