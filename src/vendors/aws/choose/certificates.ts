import type { CertificateSummary, KeyAlgorithm } from '@aws-sdk/client-acm';
import { at, type Problem } from '../../../basics/problem.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import { callAws } from '../errors.ts';
import type { Region } from '../region.ts';
import { askOptional } from './offers/read-offer.ts';

/** The key types load balancers support. Without this filter, AWS lists only some of them. */
const keyTypes: KeyAlgorithm[] = [
  'RSA_2048',
  'RSA_3072',
  'RSA_4096',
  'EC_prime256v1',
  'EC_secp384r1',
  'EC_secp521r1',
];

/** Not cached: a user whose certificate was missing has one issued and retries. */
async function listIssued({ clients }: Region): Promise<CertificateSummary[]> {
  const acm = await clients.acm();
  const found: CertificateSummary[] = [];
  let token: string | undefined;
  do {
    const page = await callAws(() =>
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

/** `*.example.com` matches exactly one label before the dot. */
const wildcardFor = (domain: string): string => domain.replace(/^[^.]+/, '*');

/** Prefers an exact name to a wildcard, then the latest expiry, then the lowest ARN. */
function bestFor(domain: string, issued: readonly CertificateSummary[]): string | undefined {
  const lowerCase = domain.toLowerCase();
  const withName = (name: string) => issued.filter((certificate) => namesIn(certificate).includes(name));
  const end = ({ NotAfter }: CertificateSummary): number => NotAfter?.getTime() ?? 0;
  const arn = ({ CertificateArn = '' }: CertificateSummary): string => CertificateArn;
  const order = (one: CertificateSummary, other: CertificateSummary): number =>
    end(other) - end(one) || (arn(one) < arn(other) ? -1 : 1);
  const exact = withName(lowerCase).toSorted(order);
  return [...exact, ...withName(wildcardFor(lowerCase)).toSorted(order)][0]?.CertificateArn;
}

/** AWS renews its own certificates 60 days before they expire, under the same ARN. So later than this, it will not happen. */
const renewalMs = 30 * 24 * 3_600_000;

interface KnownCertificates {
  issued: readonly CertificateSummary[];
  before: string | undefined;
  /** A certificate that expires before this time is replaced, if there is a better one. */
  renewBefore: number;
}

/** Keeps the certificate as long as it is valid. Without a better one, it also keeps one that is not. */
function certificateFor(
  domain: string,
  { issued, before, renewBefore }: KnownCertificates,
): string | undefined {
  const isValid = issued.some(
    ({ CertificateArn, NotAfter }) =>
      CertificateArn === before && (NotAfter?.getTime() ?? Number.POSITIVE_INFINITY) > renewBefore,
  );
  return isValid ? before : (bestFor(domain, issued) ?? before);
}

interface Certificates {
  certificates: Record<string, string>;
  notes: string[];
  problems: Problem[];
}

interface CertificateInput {
  model: StackModel;
  domains: readonly string[];
  before: Readonly<Record<string, string>>;
}

/** If every domain has a certificate, the list only shows whether there is a better one. An update must not fail without it. */
async function readIssued(
  region: Region,
  { domains, before }: CertificateInput,
): Promise<{ issued: CertificateSummary[]; notes: string[] }> {
  if (domains.length === 0) return { issued: [], notes: [] };
  const isOptional = domains.every((domain) => before[domain] !== undefined);
  if (!isOptional) return { issued: await listIssued(region), notes: [] };
  const { value: issued, reason } = await askOptional(region, () => listIssued(region));
  if (issued) return { issued, notes: [] };
  const note = `The certificates of ${domains.join(', ')} could not be checked in ${region.name} and stay the same. ${reason}`;
  return { issued: [], notes: [note] };
}

export async function chooseCertificates(region: Region, input: CertificateInput): Promise<Certificates> {
  const { model, domains, before } = input;
  const certificates: Certificates['certificates'] = {};
  const problems: Problem[] = [];
  const { issued, notes } = await readIssued(region, input);
  const renewBefore = region.clock.now() + renewalMs;
  for (const domain of domains) {
    const arn = certificateFor(domain, { issued, before: before[domain], renewBefore });
    if (arn) certificates[domain] = arn;
    else
      problems.push(
        ...pathsNaming(model, domain).map((path) => ({ path, message: noCertificate(region, domain) })),
      );
  }
  return { certificates, notes, problems };
}

const noCertificate = ({ name }: Region, domain: string): string =>
  `There is no issued certificate for ${domain} in ${name}. Request or import one in AWS Certificate Manager in ` +
  'that region, and retry once it is issued.';

const pathsNaming = ({ layers }: StackModel, domain: string): string[] =>
  layers.flatMap(({ loadBalancer }, index) =>
    (loadBalancer?.listeners ?? []).flatMap(({ certificateDomain }, position) =>
      certificateDomain === domain
        ? [at('layers', index, 'loadBalancer/listeners', position, 'certificateDomain')]
        : [],
    ),
  );
