import { CliError } from '../cli-error.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no machine has that name',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ETIMEDOUT: 'it did not take the connection',
  EPIPE: 'the connection was cut',
  EPROTO: 'it does not speak TLS there; is it http://?',
  HPE_INVALID_CONSTANT: 'what answers there does not speak HTTP; is it https://?',
  HPE_INVALID_HEADER_TOKEN: 'what answers there does not speak HTTP',
};

const isCertificateTrouble = (code: string): boolean => /CERT|SELF_SIGNED|ISSUER|ALTNAME|VERIFY/.test(code);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Half a sentence: why nobody was reached. */
export const reasonOf = (error: unknown): string =>
  reasons[codeOf(error)] ?? (error instanceof Error ? error.message || codeOf(error) : String(error));

/** Why there was no answer, in words. */
export function notReached(url: URL, error: unknown): CliError {
  if (error instanceof CliError) return error;
  const code = codeOf(error);
  const hints = isCertificateTrouble(code)
    ? ['Trust its certificate: NODE_EXTRA_CA_CERTS=<file> alm …']
    : ['Is it running? Another address: --url, ALM_URL, or: alm login --url <address>'];
  return new CliError('noAnswer', `${url.origin} was not reached: ${reasonOf(error)}.`, {
    hints,
    cause: error,
  });
}
