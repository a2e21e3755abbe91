import { call } from './load.mjs';
import { root } from './server.mjs';

/** A cloud account of the sandbox allows 20 networks per region. */
const stacksPerCredential = 15;

export const template = (number) => ({
  version: '2017-03-03',
  label: `bench ${number}`,
  vendor: {
    sandbox: {
      cred: `BENCH${Math.floor(number / stacksPerCredential)}`,
      secret: 'bench',
      region: 'ap-northeast-1',
    },
  },
  configurations: [
    {
      role: 'web',
      flag: 'web0',
      provision: { instance_type: 't2.micro', instance_count: 1, availability_zone: 'ap-northeast-1a' },
    },
  ],
});

export async function signIn({ url }) {
  const body = { grant_type: 'password', client_id: 'alm', ...root };
  return (await call(url, { method: 'POST', path: '/v3/access_token', body })).access_token;
}

/** Ids of new stacks that are complete. */
export async function makeStacks({ url }, token, { count, template: make = template }) {
  const ids = [];
  for (let each = 0; each < count; each += 1) {
    const request = { method: 'POST', path: '/v3/alm/template', token, body: make(each) };
    ids.push((await call(url, request)).stack_id);
  }
  const statusOf = async (id) => (await call(url, { path: `/v3/alm/stack/${id}`, token })).stack_status;
  for (const id of ids) {
    let status = 'CREATE_IN_PROGRESS';
    while (status === 'CREATE_IN_PROGRESS') status = await statusOf(id);
    if (status !== 'CREATE_COMPLETE') throw new Error(`stack ${id} is ${status}`);
  }
  return ids;
}
