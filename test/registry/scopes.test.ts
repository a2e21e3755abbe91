import { beforeAll, expect, it } from 'vitest';
import { type Clients, failed, succeeded } from './world/clients.ts';
import { master, type Person, useRegistry } from './world/registry-world.ts';

const world = useRegistry();
let ann: Clients;
let bob: Clients;
let root: Clients;
let other: Clients;
let annPerson: Person;
let bobPerson: Person;
let otherMaster: Person;
let source: string;

const refused = /denied|unauthorized/i;

beforeAll(async () => {
  [annPerson, bobPerson] = [await world.createUser('ann'), await world.createUser('bob')];
  [ann, bob] = [await world.signedIn(annPerson), await world.signedIn(bobPerson)];
  root = await world.signedIn(master);
  otherMaster = await world.createAccount('Acme');
  other = await world.signedIn(otherMaster);
  source = await world.layout.simple('one');
  await succeeded(ann.push(source, 'ann/shop:1'));
});

it("a user cannot pull, push or delete in another user's namespace", async () => {
  expect(await failed(bob.pull('ann/shop:1'))).toMatch(refused);
  expect(await failed(bob.push(source, 'ann/shop:2'))).toMatch(refused);
  expect(await failed(bob.skopeo('delete', `docker://${bob.at('ann/shop:1')}`))).toMatch(refused);
  expect(await failed(bob.docker('pull', bob.at('ann/shop:1')))).toMatch(refused);
  expect(await failed(bob.podman('pull', bob.at('ann/shop:1')))).toMatch(refused);
  await succeeded(ann.pull('ann/shop:1'));
});

it('the master can pull, push and delete in every namespace of the account', async () => {
  await succeeded(root.pull('ann/shop:1'));
  await succeeded(root.push(source, 'ann/by-root:1'));
  await succeeded(root.skopeo('delete', `docker://${root.at('ann/by-root:1')}`));
});

it('the master of another account can use the namespaces of that account only', async () => {
  const { username } = otherMaster;
  await succeeded(other.push(source, `${username}/shop:1`));
  await succeeded(other.pull(`${username}/shop:1`));
  for (const image of ['ann/shop:1', 'root/new:1']) expect(await failed(other.pull(image))).toMatch(refused);
  expect(await failed(other.push(source, 'root/new:1'))).toMatch(refused);
  expect(await failed(root.pull(`${username}/shop:1`))).toMatch(refused);
  expect(await failed(root.push(source, `${username}/shop:2`))).toMatch(refused);
});

it('a repository that does not exist is refused like one of another account', async () => {
  const answer = async (name: string) => {
    const reply = await world.caller(otherMaster).call('GET', `/v2/${name}/manifests/1`);
    return { status: reply.status, text: (await reply.text()).replaceAll(name, 'NAME') };
  };
  expect(await answer('ann/shop')).toEqual(await answer('ann/nothing'));
});

it('a user can mount layers of another repository of the same namespace, not of another', async () => {
  const [digest = ''] = /sha256:\w+(?=","size":\d+\}\])/.exec(
    await succeeded(ann.skopeo('inspect', '--raw', `docker://${ann.at('ann/shop:1')}`)),
  ) ?? [''];
  const mount = (person: Person, to: string) =>
    world.caller(person).call('POST', `/v2/${to}/blobs/uploads/?mount=${digest}&from=ann/shop`);
  expect((await mount(annPerson, 'ann/mounted')).status).toBe(201);
  // The registry starts an upload instead: bob must have the content.
  expect((await mount(bobPerson, 'bob/mounted')).status).not.toBe(201);
});

it('a role lets a user pull from a repository, and not push to it', async () => {
  const person = await world.createNewUser();
  const reader = await world.signedIn(person);
  expect(await failed(reader.pull('ann/shop:1'))).toMatch(refused);
  await world.attachRole(person.username, {
    Effect: 'Allow',
    Action: ['registry:pull'],
    Resource: ['mrn:registry:ann/*'],
  });
  await succeeded(reader.pull('ann/shop:1'));
  expect(await failed(reader.push(source, 'ann/shop:3'))).toMatch(refused);
});

it('nobody can pull from a private repository without signing in', async () => {
  const anonymous = world.clients();
  expect(await failed(anonymous.pull('ann/shop:1'))).toMatch(refused);
  expect(await failed(anonymous.docker('pull', anonymous.at('ann/shop:1')))).toMatch(refused);
});
