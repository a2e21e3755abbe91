import { expect, it } from 'vitest';
import { compileTemplate } from '../../../src/languages/v3-template/compile.ts';

const compiled = (vendor: unknown) =>
  compileTemplate(
    { version: '2017-03-03', vendor, configurations: [{ role: 'web', flag: 'web', provision: {} }] },
    'RegionOne',
  );
const modelOf = (vendor: unknown) => {
  const outcome = compiled(vendor);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
};
const place = { cred: 'KEY', region: 'RegionOne' };

it('the vendor section of a template names the external network of an OpenStack and flavors for its types', () => {
  const section = {
    openstack: { ...place, external_network: 'public', flavors: { 't2.micro': 'm1.small' } },
  };
  const { model, locate } = modelOf(section);
  expect(model.vendorOptions).toEqual({ externalNetwork: 'public', flavors: { 't2.micro': 'm1.small' } });
  expect(locate('vendorOptions/externalNetwork')).toBe('vendor/openstack/external_network');
  expect(locate('vendorOptions/flavors')).toBe('vendor/openstack/flavors');
});

it('a template says nothing about the cloud without these members, without the section, or for another vendor', () => {
  for (const vendor of [null, { openstack: place }, { aws: { ...place, external_network: 'x' } }])
    expect(modelOf(vendor).model.vendorOptions).toBeUndefined();
});

it('an external network that is not a text and flavors that are not a mapping are reported where they are', () => {
  expect(compiled({ k5: { ...place, external_network: 7, flavors: ['m1.small'] } })).toEqual({
    ok: false,
    problems: [
      { path: 'vendor/k5/external_network', message: 'must be the name or id of a network.' },
      {
        path: 'vendor/k5/flavors',
        message: 'must be an object of types and flavors: {"t2.micro": "m1.small"}.',
      },
    ],
  });
});
