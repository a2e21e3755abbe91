import { shellQuote } from '../basics/shell-quote.ts';
import type { ClientKind } from '../model/client-kinds.ts';
import type { AccountCredentials } from '../operations/accounts/new-account.ts';
import type { Almanac } from './start.ts';

type FirstClientKind = Extract<ClientKind, 'owner' | 'sign-in'>;

const clientLines: Readonly<Record<FirstClientKind, string>> = {
  owner:
    '  For programs that use the v2 API, an API client with the rights of the account owner. Do not give its secret to users:',
  'sign-in': '  An API client through which users sign in. alm needs none:',
};

/** Commands that set the credentials of a new account, for the command line. */
export const exportLines = (credentials: AccountCredentials, clientKind: FirstClientKind): string[] => {
  const { clientId, clientSecret, username, password, generated } = credentials;
  return [
    '  Your credentials. Generated values are shown only once; save them:',
    `    export ALM_USERNAME=${shellQuote(username)} ALM_PASSWORD=${generated.password ? shellQuote(password.reveal()) : chosen}`,
    clientLines[clientKind],
    `    ALM_CLIENT_ID=${shellQuote(clientId)} ALM_CLIENT_SECRET=${generated.clientSecret ? shellQuote(clientSecret.reveal()) : chosen}`,
  ];
};

const credentialLines = ({ firstCredentials }: Almanac): string[] =>
  firstCredentials
    ? exportLines(firstCredentials, 'owner')
    : ['  Sign in with the credentials that were printed on the first start (ALM_USERNAME etc.).'];

const chosen = "'<the value you chose>'";

/** The URL, and the commands to create and delete a first stack. */
export const welcome = (almanac: Almanac): string => {
  const { url } = almanac;
  return [
    '',
    `  Almanac is serving at ${url}   (API reference: ${url}/docs)`,
    ...(almanac.hasConsole ? [`  Web console: ${url}/console/`] : []),
    '',
    ...credentialLines(almanac),
    '',
    '  Download the command line, then create, list and delete a first stack in the sandbox cloud:',
    `    curl -fsSo alm ${url}/cli/alm && chmod +x alm && export ALM_URL=${url}`,
    '    ./alm init --nickname shop && ./alm up',
    '    ./alm status',
    '    ./alm stack delete shop --wait',
    '',
  ].join('\n');
};
