/** Everyone who has a token of their own: what each sends to /v3/access_token. Made on a server that is new. */
const client = { client_id: 'lg-fuzz-client', client_secret: 'fuzz-client-secret' };
const master = { ...client, grant_type: 'password', username: 'root', password: 'fuzz-root-password-4711' };

/** Settings of a server that knows the master and the API client. */
export const logins = {
  ALM_CLIENT_ID: client.client_id,
  ALM_CLIENT_SECRET: client.client_secret,
  ALM_ROOT_USERNAME: master.username,
  ALM_ROOT_PASSWORD: master.password,
};

const deniesAll = { version: '2017-05-05', Statement: [{ Effect: 'Deny', Action: ['*'], Resource: ['*'] }] };

const oneServer = {
  version: '2017-03-03',
  label: 'of an agent',
  description: '',
  vendor: { aws: { cred: 'SANDBOX', region: 'ap-northeast-1' } },
  configurations: [
    {
      role: 'web',
      flag: 'web0',
      provision: {
        image: '${computed}',
        instance_type: 't2.micro',
        instance_count: 1,
        availability_zone: 'ap-northeast-1a',
      },
    },
  ],
};

/** Calls as the master. Throws if a call is refused. */
const callerAt = async (url) => {
  const send = async (method, path, { token, json }) => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const reply = await fetch(url + path, { method, headers, ...(json && { body: JSON.stringify(json) }) });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`);
    return JSON.parse(text);
  };
  const { access_token: token } = await send('POST', '/v3/access_token', { json: master });
  return (method, path, json) => send(method, path, { token, json });
};

async function userWith(call, role) {
  const user = { username: `fuzz-${role?.name ?? 'plain'}`, password: 'password of a fuzzed user' };
  await call('POST', '/v3/user', user);
  if (role) {
    const { role_id } = await call('POST', '/v3/role', { ...role, scope: JSON.stringify(role.scope) });
    await call('POST', '/v3/user/role', { username: user.username, role_id });
  }
  return { ...client, ...user, grant_type: 'password' };
}

const userOfTemplate = (id) => async (call) => {
  const { scope } = (await call('GET', '/v3/role/templates')).find((template) => template.id === id);
  return userWith(call, { name: id, scope });
};

async function agent(call) {
  const { stack_id } = await call('POST', '/v3/alm/template', oneServer);
  const { auth_token } = await call('GET', `/v3/alm/stack/${stack_id}`);
  return { client_id: stack_id, client_secret: auth_token, grant_type: 'client_credentials' };
}

const personas = {
  master: () => master,
  'user without a role': (call) => userWith(call, null),
  'user with role admin': userOfTemplate('admin'),
  'user with role user': userOfTemplate('user'),
  'user with role readonly': userOfTemplate('readonly'),
  'user denied everything': (call) => userWith(call, { name: 'denied', scope: deniesAll }),
  'API client': () => ({ ...client, grant_type: 'client_credentials' }),
  'agent of a stack': agent,
};

export const personaNames = Object.keys(personas);

export const loginOf = async (name, url) => personas[name](await callerAt(url));
