import { describe, expect, it } from 'vitest';
import { readHistory } from '../../../../src/vendors/openstack/observe/events.ts';
import { readByName } from '../../../../src/vendors/openstack/observe/list-stacks.ts';
import { readResources } from '../../../../src/vendors/openstack/observe/resources.ts';
import { Unreachable } from '../../../../src/vendors/vendor.ts';
import { FakeHeat } from '../fake-heat.ts';

const stack = { id: 'mo-1', region: 'RegionOne', accountId: 'a1' };

/** What proxies, gateways and the services themselves answer at an address that leads nowhere. */
const pages = [
  '<html><h1>404 Not Found</h1></html>',
  '{}',
  '{"message":"no Route matched with those values"}',
  '{"message":"The resource could not be found.","code":"404 Not Found","title":"Not Found"}',
  '{"error":{"message":"The resource could not be found.","code":404,"title":"Not Found"}}',
  '{"itemNotFound":"nothing here"}',
];

function heatBehind(page: string, proxied: RegExp): FakeHeat {
  const heat = new FakeHeat();
  heat.add('Databasemain', 'OS::Trove::Instance', 'CREATE_COMPLETE');
  heat.databases = { 'id-of-Databasemain': 20 };
  heat.page = page;
  heat.proxied = proxied;
  return heat;
}

const stackOf = async (heat: FakeHeat) => {
  const found = await readByName(heat.client(), stack.id);
  if (!found) throw new Error('the stack is missing');
  return found;
};

describe.each(pages)('a 404 with %j, which does not name what is missing', (page) => {
  it.each([
    ['the resources of the stack', /\/resources\?/],
    ['the database', /^\/database\//],
  ])(
    'instead of %s does not let a deletion that nobody released data for delete the stack',
    async (_, proxied) => {
      const heat = heatBehind(page, proxied);
      await expect(heat.driver().remove(stack, { releases: [], intent: 'one' })).rejects.toThrow(Unreachable);
      expect(heat.requests).toEqual([]);
    },
  );

  it('instead of a stack without tags does not count as a stack without a version', async () => {
    const heat = heatBehind(page, /^\/heat\/stacks\/mo-1\/h1\?/);
    heat.tags = [];
    await expect(stackOf(heat)).rejects.toThrow(Unreachable);
  });

  it('instead of events does not count as a stack without failures', async () => {
    const heat = heatBehind(page, /\/events/);
    await expect(readHistory(heat.client(), await stackOf(heat))).rejects.toThrow(Unreachable);
  });
});

describe('an answer of Heat', () => {
  it('without a list of resources does not let a deletion that nobody released data for delete the stack', async () => {
    const heat = heatBehind('', /^$/);
    heat.listsResources = false;
    await expect(heat.driver().remove(stack, { releases: [], intent: 'one' })).rejects.toThrow(Unreachable);
    expect(heat.requests).toEqual([]);
  });

  it.each(['EntityNotFound', 'StackNotFound'])(
    'with %s says that the stack is gone with all its resources',
    async (type) => {
      const page = {
        code: 404,
        title: 'Not Found',
        error: { type, message: 'The Stack (mo-1) could not be found.' },
      };
      const heat = heatBehind(JSON.stringify(page), /\/resources\?/);
      expect(await readResources(heat.client(), await stackOf(heat))).toEqual([]);
    },
  );
});
