import { expect, it } from 'vitest';
import { addressOf, pages } from '../../../../src/console/address/pages.ts';
import { first } from '../../../api/served-almanac.ts';
import { oneServer } from '../../../world.ts';
import { settled } from '../accessible/states.ts';
import { useBrowser } from '../harness.ts';
import { asMaster, makeRole, statement } from './people.ts';

const browsing = useBrowser();
const { almanac } = browsing;

const written = {
  'secret of the vendor': 'vendor-secret-4711',
  'private key for git': 'git-key-4712',
  'password of a registry': 'registry-password-4713',
  'password of a v2 stack': 'v2-password-4714',
};

const pem = (text: string): string =>
  `-----BEGIN OPENSSH PRIVATE KEY-----\n${text}\n-----END OPENSSH PRIVATE KEY-----\n`;

function template(label: string): object {
  const { configurations, ...rest } = oneServer();
  const [layer] = configurations;
  const container = {
    container_image: 'shop/web:1',
    container_registry_username: 'shop',
    container_registry_password: written['password of a registry'],
    container_git_repo: 'git@git.example.com:shop/site.git',
    container_git_private_key: pem(written['private key for git']),
  };
  const sandbox = { cred: 'MINE', region: 'ap-northeast-1', secret: written['secret of the vendor'] };
  return {
    ...rest,
    label,
    vendor: { sandbox },
    configurations: [{ ...layer, container }],
  };
}

/** Two versions, so that their pages have a difference. */
async function makeStack(): Promise<string> {
  const id = await almanac.applyTemplate(template('one'));
  await almanac.waitFor(id, 'CREATE_COMPLETE', 60);
  await asMaster(browsing, 'PUT', `/v3/alm/template/${id}`, template('two'));
  await almanac.waitFor(id, 'UPDATE_COMPLETE', 60);
  return id;
}

async function makeV2Stack(): Promise<string> {
  const configurations = {
    architecture: 'art_elb',
    type: 't2.micro',
    image: 'library/nginx',
    dockerHubUsername: 'shop',
    dockerHubPassword: written['password of a v2 stack'],
  };
  const body = { cred: 'SANDBOX', region: 'ap-northeast-1', configurations };
  return String((await asMaster(browsing, 'POST', '/v2/alm/stack', body)).stack_id);
}

/** Every secret that the service made. */
async function madeSecrets(id: string): Promise<Record<string, string>> {
  const client = await asMaster(browsing, 'POST', '/v3/client', { label: 'build server', kind: 'service' });
  const personal = await asMaster(browsing, 'POST', '/v3/personal_token', {
    name: 'deploys',
    roles: ['admin'],
    expires_in_days: 7,
    current_password: first.password,
  });
  const link = await asMaster(browsing, 'GET', `/v3/alm/pem?stack_id=${id}&flag=web0`);
  const key = await (await fetch(String(link['data']))).text();
  const made = {
    'token of the agents': (await almanac.describe(id))['auth_token'],
    'access token of a user': await almanac.userToken(),
    'access token of a program': await almanac.clientToken(),
    'secret of a new client': client['client_secret'],
    'personal access token': personal['token'],
    'private key of a layer': key.split('\n')[1],
  };
  return Object.fromEntries(Object.entries(made).map(([name, secret]) => [name, String(secret)]));
}

it('no_secret_in_the_page: no page shows, stores or receives a secret of the world, for stacks of both API versions', async () => {
  const id = await makeStack();
  const v2 = await makeV2Stack();
  const secrets = { ...written, ...(await madeSecrets(id)) };
  expect(Object.entries(secrets).filter(([, secret]) => secret.length < 12)).toEqual([]);
  const page = await browsing.openPage({ path: null });
  const paths = [id, v2].flatMap((each) =>
    Object.values(pages)
      .filter((path) => path !== pages.signIn)
      .map((path) => addressOf(path as '/stack/:id', { id: each, name: 'root' } as { id: string })),
  );
  const compared = `/compare?a=${id}&b=${v2}`;
  const role = await makeRole(browsing, 'deployers', statement('Allow', ['stack:*']));
  for (const path of new Set([...paths, compared, `/roles/${role}`])) {
    await page.goto(`${almanac.url}/console${path}`);
    await settled(page);
    expect(await browsing.leaks(page, secrets), path).toEqual([]);
  }
});
