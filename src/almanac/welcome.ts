import type { Almanac } from './start.ts';

const credentialLines = ({ firstCredentials }: Almanac): string[] => {
  if (!firstCredentials)
    return ['  Sign in with the credentials that were printed on the first start (ALM_CLIENT_ID and so on).'];
  const { clientId, clientSecret, username, password, generated } = firstCredentials;
  return [
    '  Your credentials. What was generated is shown this once; keep it:',
    `    export ALM_CLIENT_ID=${quoted(clientId)} ALM_CLIENT_SECRET=${generated.clientSecret ? quoted(clientSecret.reveal()) : chosen}`,
    `    export ALM_USERNAME=${quoted(username)} ALM_PASSWORD=${generated.password ? quoted(password.reveal()) : chosen}`,
  ];
};

const chosen = "'<the one you chose>'";

/** As a shell reads it back. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Where it is, and the commands from nothing to a first stack and back. */
export const welcome = (almanac: Almanac): string => {
  const { url } = almanac;
  return [
    '',
    `  Almanac is serving at ${url}   (API to read and try: ${url}/docs)`,
    '',
    ...credentialLines(almanac),
    '',
    '  A first stack, in the sandbox cloud: the command line, then create, look and delete:',
    `    curl -fsSo alm ${url}/cli/alm && chmod +x alm && export ALM_URL=${url}`,
    '    ./alm stack create --alm-template examples/first-stack.json --wait',
    '    ./alm stack list',
    '    ./alm stack delete <its id> --wait',
    '',
  ].join('\n');
};
