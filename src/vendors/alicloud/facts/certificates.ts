import type { Certificate } from '../choose/cloud-facts.ts';
import type { Clients } from '../clients.ts';
import { observing } from '../errors.ts';

interface CertificateRow {
  ServerCertificateId?: string;
  CommonName?: string;
  ExpireTimeStamp?: number;
  SubjectAlternativeNames?: { SubjectAlternativeName?: readonly string[] };
}

export async function readCertificates(clients: Clients): Promise<Certificate[]> {
  const { ServerCertificates: { ServerCertificate: rows = [] } = {} } = await observing(() =>
    clients.call<{ ServerCertificates?: { ServerCertificate?: readonly CertificateRow[] } }>({
      service: 'slb',
      action: 'DescribeServerCertificates',
    }),
  );
  return rows.map(({ ServerCertificateId: id = '', CommonName = '', ExpireTimeStamp = 0, ...row }) => ({
    id,
    domains: [
      ...new Set([CommonName, ...(row.SubjectAlternativeNames?.SubjectAlternativeName ?? [])]),
    ].filter(Boolean),
    expiresAt: ExpireTimeStamp,
  }));
}
