import { describe, expect, test } from 'vitest';
import { readPlacement } from '../../../src/languages/v3-template/compile.ts';
import { type Members, problemsOf, templateOf, webLayer } from './documents.ts';

const layer = webLayer();
describe('an invalid template is rejected', () => {
  test.each<[string, unknown, string]>([
    ['not an object', [], ': must be an object.'],
    [
      'no version',
      { configurations: [layer] },
      'version: is required. Version of the template format. Write "2017-03-03".',
    ],
    ['a later version', { version: 20180702, configurations: [layer] }, 'version: must be "2017-03-03".'],
    ['no layers', templateOf(), 'configurations: must have at least 1 entry.'],
    ['layers missing', { version: '2017-03-03' }, 'configurations: is required. The layers of the stack.'],
    ['layers not a list', { version: '2017-03-03', configurations: {} }, 'configurations: must be a list.'],
    [
      'a long label',
      { ...templateOf(layer), label: 'x'.repeat(65) },
      'label: must be at most 64 characters; it has 65.',
    ],
    [
      'a long description',
      { ...templateOf(layer), description: 'x'.repeat(256) },
      'description: must be at most 255 characters; it has 256.',
    ],
    [
      'a mistyped member',
      { ...templateOf(layer), lable: 'x' },
      'lable: unknown member; did you mean "label"?',
    ],
    [
      'an unknown member',
      { ...templateOf(layer), resources: [] },
      'resources: unknown member; known members: version, label, description, name, vendor, tags, configurations.',
    ],
    [
      'a tag with a space in its name',
      { ...templateOf(layer), tags: { 'cost center': '42' } },
      'tags/cost center: is not a valid name of a tag; use at most 128 letters, digits and + - = . _ : @.',
    ],
    [
      'two tags whose names differ only in case',
      { ...templateOf(layer), tags: { team: 'shop', Team: 'Shop' } },
      'tags/Team: is a duplicate of team: AWS ignores the case of names of tags. Remove one.',
    ],
    [
      'a tag of Almanac',
      { ...templateOf(layer), tags: { 'almanac:stack': 'mine' } },
      'tags/almanac:stack: is reserved: tags must not be called Name, nor start with aws: or almanac:.',
    ],
    [
      'a value of a tag with a forbidden character',
      { ...templateOf(layer), tags: { team: 'a,b' } },
      'tags/team: must contain only letters, digits, spaces and _ . : / = + - @.',
    ],
    [
      'too many tags',
      { ...templateOf(layer), tags: Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`t${i}`, ''])) },
      'tags: must have at most 40 entries.',
    ],
    [
      'a function in the label',
      { ...templateOf(layer), label: '${use(Web.flag' },
      'label: does not support functions; use them only inside configurations.',
    ],
    [
      'a layer that is a string',
      templateOf('Web'),
      'configurations/0: must be an object with members such as role, flag, provision, container, rollout_timeout, on_failure.',
    ],
  ])('because of %s', (_why, template, problem) => expect(problemsOf(template)).toEqual([problem]));
});

describe('an invalid layer is rejected', () => {
  test.each<[string, Members, string]>([
    ['no flag', { role: 'web' }, 'flag: is required. Name of the layer, unique in the template.'],
    ['a long flag', { role: 'web', flag: 'x'.repeat(65) }, 'flag: must be at most 64 characters; it has 65.'],
    [
      'a flag without letters',
      { role: 'web', flag: '--' },
      'flag: must contain at least one of A-Z, a-z, 0-9.',
    ],
    [
      'a flag with a slash',
      { role: 'web', flag: 'a/b' },
      'flag: must not contain / . , ( ) { } # $ or control characters.',
    ],
    [
      'a flag that every table has an entry for',
      { role: 'web', flag: 'toString' },
      'flag: is reserved. Choose another name.',
    ],
    ['no role', { flag: 'Web' }, 'role: is required. Role of the layer. Write one of web, bastion.'],
    ['an unknown role', { flag: 'Web', role: 'nat_gateway' }, 'role: must be one of web, bastion.'],
    [
      'a password without a user',
      webLayer({}, { container: { dockerHubPassword: 'x' } }),
      'container/container_registry_username: is required with container_registry_password.',
    ],
    [
      'efs without id',
      webLayer({}, { container: { container_storage: { type: 'efs' } } }),
      'container/container_storage/id: is required for type efs: the id of the file system.',
    ],
    [
      'an invalid port',
      webLayer({}, { container: { ports: ['http'] } }),
      'container/ports/0: must be an integer from 0 to 65535.',
    ],
    [
      'an environment value that is a list',
      webLayer({}, { container: { container_env_vars: { A: [] } } }),
      'container/container_env_vars/A: must be a string.',
    ],
    [
      'an invalid environment variable name',
      webLayer({}, { container: { container_env_vars: { 'A=B': '' } } }),
      'container/container_env_vars/A=B: is not a valid environment variable name; use letters, digits, _, . and -, starting with a letter or _.',
    ],
    [
      'two add-ons with the same name',
      webLayer({}, { container: { addon: [{ name: 'm' }, { name: 'm' }] } }),
      'container/addon/1/name: is a duplicate: "m". Each entry needs a unique name.',
    ],
  ])('because of %s', (_why, given, problem) =>
    expect(problemsOf(templateOf(given))).toEqual([`configurations/0/${problem}`]),
  );
});

test('overlapping subnets and flags that become the same are rejected', () => {
  const one = { role: 'web', flag: 'Web-1', provision: { subnet: { cidr: '10.0.0.0/20' } } };
  const other = { role: 'web', flag: 'Web_1', provision: { subnet: { cidr: '10.0.8.0/24' } } };
  expect(problemsOf(templateOf(one, other, one))).toEqual([
    'configurations/1/flag: is too similar to "Web-1": resource names use only letters and digits, which are the same in both.',
    'configurations/2/flag: is a duplicate: "Web-1". Each layer needs a unique flag.',
    'configurations/1/provision/subnet/cidr: overlaps with the subnet of layer "Web-1".',
    'configurations/2/provision/subnet/cidr: overlaps with the subnet of layer "Web-1".',
  ]);
});

test('all problems are reported at once, with the member names of the document', () => {
  const broken = {
    role: 'wbe',
    provision: {
      subnet: { cidr: 'x' },
      network_acl: [{ RuleNumber: 0, Protocol: '-1', RuleAction: 'alow', CidrBlock: '0.0.0.0/0' }],
      auto_scaling: { min: 5, max: 1 },
    },
    container: '${copy(Nobody.container)}',
  };
  expect(
    problemsOf({ version: '1', label: {}, configurations: [broken] }).map((line) => line.split(':')[0]),
  ).toEqual([
    'configurations/0/container',
    'version',
    'label',
    'configurations/0/role',
    'configurations/0/flag',
    'configurations/0/provision/subnet/cidr',
    'configurations/0/provision/network_acl/0/RuleNumber',
    'configurations/0/provision/network_acl/0/RuleAction',
    'configurations/0/provision/auto_scaling/min',
  ]);
});

test('a hostile document does not produce a response many times its size', () => {
  const layers = Array.from({ length: 90 }, () => ({ a: 1, b: 2, c: 3 }));
  const problems = problemsOf(templateOf(...layers));
  expect(problems).toHaveLength(201);
  expect(problems.at(-1)).toBe(': has 250 more problems.');
});

describe('an invalid vendor section is rejected', () => {
  test.each<[string, unknown, string]>([
    [
      'no template',
      null,
      'vendor: is required. Example: {"aws": {"cred": "…", "region": "ap-northeast-1"}}.',
    ],
    [
      'a string',
      { vendor: 'aws' },
      'vendor: must be an object. Example: {"aws": {"cred": "…", "region": "ap-northeast-1"}}.',
    ],
    [
      'two vendors',
      { vendor: { aws: {}, k5: {} } },
      'vendor: must contain exactly one vendor. Example: {"aws": {"cred": "…", "region": "ap-northeast-1"}}.',
    ],
    [
      'a vendor that is a string',
      { vendor: { aws: 'x' } },
      'vendor/aws: must be an object with cred and region.',
    ],
    [
      'no credential',
      { vendor: { AWS: { region: 'r' } } },
      'vendor/AWS/cred: is required: the id of a saved credential.',
    ],
    [
      'an empty region',
      { vendor: { aws: { cred: 'c', region: ' ' } } },
      'vendor/aws/region: is required: the region of the stack.',
    ],
    [
      'a secret that is a number',
      { vendor: { aws: { cred: 'c', region: 'r', secret: 1 } } },
      'vendor/aws/secret: must be a string.',
    ],
  ])('because of %s', (_why, template, problem) => {
    const outcome = readPlacement(template);
    expect(outcome.ok ? [] : outcome.problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      problem,
    ]);
  });
});
