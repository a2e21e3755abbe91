import { nothingChosen } from '../../../src/vendors/openstack/choices.ts';
import type {
  OpenStackDocument,
  Properties,
  TemplateResource,
} from '../../../src/vendors/openstack/document.ts';
import type { StackOnVendor } from '../../../src/vendors/vendor.ts';

type Resources = Readonly<Record<string, TemplateResource>>;

/** A document with these resources, as the compiler would make it. */
export const documentOf = (
  resources: Resources,
  outputs: OpenStackDocument['template']['outputs'] = {},
): OpenStackDocument => ({
  region: 'RegionOne',
  dialect: 'openstack',
  template: {
    heat_template_version: '2018-08-31',
    description: 'A stack of a test',
    parameters: {},
    resources,
    outputs,
  },
  files: {},
  secrets: { agentToken: false, databasePassword: false, publicKeysOf: [] },
  choices: nothingChosen,
  notes: [],
});

/** Heat's own resource for tests: it waits, and fails on request. */
export const testResource = (properties: Properties = {}): TemplateResource => ({
  type: 'OS::Heat::TestResource',
  properties: { value: 'x', ...properties },
});

const numbered = <T>(count: number, make: (index: number) => T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`Instance${index}OfLone`, make(index)]));

/** Seconds that every resource takes: long enough that work is in progress at the next call. */
const slow = 3;

export const testResources = (count: number, properties: Properties = {}): OpenStackDocument =>
  documentOf(numbered(count, () => testResource({ wait_secs: slow, ...properties })));

export const server = ({ id }: StackOnVendor, more: Properties = {}): TemplateResource => ({
  type: 'OS::Nova::Server',
  properties: {
    name: `${id}-lone`,
    image: 'cirros',
    flavor: 'm1.tiny',
    networks: [{ allocate_network: 'none' }],
    metadata: { almanac_stack: id, almanac_flag: 'lone' },
    ...more,
  },
});

/** Servers of one layer. Something slow beside them keeps the stack in progress for a while. */
export const servers = (stack: StackOnVendor, count: number): OpenStackDocument =>
  documentOf({
    ...numbered(count, () => server(stack)),
    Slow: testResource({ value: String(count), wait_secs: slow }),
  });
