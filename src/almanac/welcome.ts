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

const tokenLines = (url: string): string[] => [
  `    TOKEN=$(curl -s ${url}/v3/access_token -u "$ALM_CLIENT_ID:$ALM_CLIENT_SECRET" -d grant_type=password \\`,
  `      --data-urlencode "username=$ALM_USERNAME" --data-urlencode "password=$ALM_PASSWORD" | sed 's/.*"access_token":"//; s/".*//')`,
];

/** Where it is, and the commands from nothing to a first stack and back. */
export const welcome = (almanac: Almanac): string => {
  const { url } = almanac;
  const auth = '-H "Authorization: Bearer $TOKEN"';
  return [
    '',
    `  Almanac is serving at ${url}   (API to read and try: ${url}/docs)`,
    '',
    ...credentialLines(almanac),
    '',
    '  A first stack, in the sandbox cloud. Get a token, then create, watch and delete:',
    ...tokenLines(url),
    `    STACK=$(curl -s ${url}/v3/alm/template ${auth} -H 'Content-Type: application/json' -d @examples/first-stack.json | grep -o 'mo-[^"]*')`,
    `    curl -s ${url}/v3/alm/stack/$STACK ${auth} | grep -o '"stack_status":"[^"]*"'`,
    `    curl -s -X DELETE ${url}/v3/alm/stack/$STACK ${auth}`,
    '',
  ].join('\n');
};
