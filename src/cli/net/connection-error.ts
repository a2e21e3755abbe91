import { CliError } from '../cli-error.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'DNS lookup failed',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'connection timed out',
  EPIPE: 'connection closed',
  EPROTO: 'the server does not use TLS',
  HPE_INVALID_CONSTANT: 'the response is not HTTP',
  HPE_INVALID_HEADER_TOKEN: 'the response is not HTTP',
};

const isCertificateError = (code: string): boolean => /CERT|SELF_SIGNED|ISSUER|ALTNAME|VERIFY/.test(code);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** The reason of a failed connection, to end a sentence with. */
export const reasonOf = (error: unknown): string =>
  reasons[codeOf(error)] ?? (error instanceof Error ? error.message || codeOf(error) : String(error));

/** Codes of a server that speaks TLS, or does not, contrary to the URL. */
const otherProtocol: Readonly<Record<string, RegExp>> = {
  'https:': /^(?:EPROTO|ERR_SSL_WRONG_VERSION_NUMBER)$/,
  'http:': /^(?:HPE_INVALID_\w+|ECONNRESET)$/,
};

function hintsFor({ protocol, host }: URL, code: string): string[] {
  if (isCertificateError(code)) return ['To trust its certificate: NODE_EXTRA_CA_CERTS=<file> alm …'];
  if (!otherProtocol[protocol]?.test(code))
    return ['Is the server running? To use another URL: --url, ALM_URL, or alm login --url <url>'];
  return protocol === 'https:'
    ? [`The server does not use TLS at this port. Use: --url http://${host}`]
    : [`If the server uses TLS at this port: --url https://${host}`];
}

/** Describes a failed connection to a server. */
export function connectionError(url: URL, error: unknown): CliError {
  if (error instanceof CliError) return error;
  const hints = hintsFor(url, codeOf(error));
  return new CliError('noAnswer', `Connection to ${url.origin} failed: ${reasonOf(error)}.`, {
    hints,
    cause: error,
  });
}
