import type { CertificateSummary, KeyAlgorithm } from '@aws-sdk/client-acm';
import { at, type Problem } from '../../../basics/problem.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import { ask } from '../errors.ts';
import type { Region } from '../region.ts';

/** Without this AWS tells of few kinds only; load balancers take all of these. */
const keyTypes: KeyAlgorithm[] = [
  'RSA_2048',
  'RSA_3072',
  'RSA_4096',
  'EC_prime256v1',
  'EC_secp384r1',
  'EC_secp521r1',
];

/** Asked anew each time: whoever was refused for want of one has it issued and tries again. */
async function listIssued({ clients }: Region): Promise<CertificateSummary[]> {
  const acm = await clients.acm();
  const found: CertificateSummary[] = [];
  let token: string | undefined;
  do {
    const page = await ask(() =>
      acm.listCertificates({
        CertificateStatuses: ['ISSUED'],
        Includes: { keyTypes },
        ...(token ? { NextToken: token } : {}),
      }),
    );
    found.push(...(page.CertificateSummaryList ?? []));
    token = page.NextToken;
  } while (token);
  return found;
}

const namesIn = ({ DomainName = '', SubjectAlternativeNameSummaries = [] }: CertificateSummary): string[] =>
  [DomainName, ...SubjectAlternativeNameSummaries].map((name) => name.toLowerCase());

/** `*.example.com` stands for one name before the dot, no more. */
const wildcardFor = (domain: string): string => domain.replace(/^[^.]+/, '*');

/** By its own name before any for a whole domain; the one that is valid longest; then always the same. */
function bestFor(domain: string, issued: readonly CertificateSummary[]): string | undefined {
  const name = domain.toLowerCase();
  const having = (wanted: string) => issued.filter((certificate) => namesIn(certificate).includes(wanted));
  const end = ({ NotAfter }: CertificateSummary): number => NotAfter?.getTime() ?? 0;
  const arn = ({ CertificateArn = '' }: CertificateSummary): string => CertificateArn;
  const order = (one: CertificateSummary, other: CertificateSummary): number =>
    end(other) - end(one) || (arn(one) < arn(other) ? -1 : 1);
  const own = having(name).toSorted(order);
  return [...own, ...having(wildcardFor(name)).toSorted(order)][0]?.CertificateArn;
}

interface Certificates {
  certificates: Record<string, string>;
  problems: Problem[];
}

export async function chooseCertificates(
  region: Region,
  model: StackModel,
  domains: readonly string[],
  before: Readonly<Record<string, string>>,
): Promise<Certificates> {
  const certificates: Certificates['certificates'] = {};
  const problems: Problem[] = [];
  const isOpen = domains.some((domain) => before[domain] === undefined);
  const issued = isOpen ? await listIssued(region) : [];
  for (const domain of domains) {
    const arn = before[domain] ?? bestFor(domain, issued);
    if (arn) certificates[domain] = arn;
    else
      problems.push(...placesNaming(model, domain).map((path) => ({ path, message: none(region, domain) })));
  }
  return { certificates, problems };
}

const none = ({ name }: Region, domain: string): string =>
  `There is no issued certificate for ${domain} in ${name}. Request or import one in AWS Certificate Manager in ` +
  'that region, and try again once it is issued.';

const placesNaming = ({ layers }: StackModel, domain: string): string[] =>
  layers.flatMap(({ loadBalancer }, index) =>
    (loadBalancer?.listeners ?? []).flatMap(({ certificateDomain }, position) =>
      certificateDomain === domain
        ? [at('layers', index, 'loadBalancer/listeners', position, 'certificateDomain')]
        : [],
    ),
  );
