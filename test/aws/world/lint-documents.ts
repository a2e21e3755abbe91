import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { compileTemplate } from '../../../src/languages/v3-template/compile.ts';
import type { StackModel } from '../../../src/model/stack-model.ts';
import { balanced, compiledFrom, single } from '../../languages/v2-configuration/documents.ts';

const root = join(import.meta.dirname, '..', '..', '..');

interface Written {
  name: string;
  document: object;
}

const examples = (): Written[] =>
  readdirSync(join(root, 'examples')).map((name) => ({
    name,
    document: parse(readFileSync(join(root, 'examples', name), 'utf8')) as object,
  }));

/** The complete templates in the pages for users. */
const inDocs = (): Written[] =>
  ['templates.md', 'v2-configuration.md'].flatMap((page) => {
    const blocks = [
      ...readFileSync(join(root, 'docs', page), 'utf8').matchAll(/```(?:json|yaml)\n(.*?)```/gs),
    ];
    return blocks
      .map(([, text = '']) => parse(text) as object)
      .filter((document) => 'version' in document && 'configurations' in document)
      .map((document, index) => ({ name: `${page} ${index}`, document }));
  });

const region = 'us-east-1';
const template = (configurations: object[], more: object = {}) => ({
  version: '2017-03-03',
  vendor: { aws: { cred: 'A', region } },
  configurations,
  ...more,
});
const layer = (provision: object, flag = 'Web', more: object = {}) => ({
  role: 'web',
  flag,
  provision: { instance_type: 't3.micro', ...provision },
  ...more,
});
const container = { container_image: 'example/app', container_ports: [80, 8080] };
const group = (more: object = {}) => ({ auto_scaling: { min: 2, max: 4, cooldown: 120, ...more } });
const listener = { load_balancer_port: 80, protocol: 'http', instance_port: 80 };
const secure = {
  load_balancer_port: 443,
  protocol: 'https',
  instance_port: 8080,
  cert_domain: 'www.example.com',
};
const application = { load_balancer: { lb_type: 'application', listeners: [listener] } };
const database = (engine: string) => ({
  rds: { engine, storage: 20, db_instance_type: 'db.t4g.small', replica: 2, deletion_protection: true },
});
const cache = (engine: string, nodes: number) => ({
  elasticache: { engine, node_type: 'cache.t4g.micro', nodes },
});

const variety: Readonly<Record<string, object>> = {
  'fixed servers': template([
    layer({ instance_count: 3, volume_type: 'io1', volume_size: 40, keypair: true }),
  ]),
  'group with spot': template([layer(group({ spot_range: 50 }))]),
  'group in one zone': template([
    layer({ availability_zone: `${region}a`, ...group({ availability_zones: `${region}a` }) }),
  ]),
  'group that scales by requests': template([
    layer({ ...group({ target_requests: 500 }), ...application }, 'Web', {
      container,
    }),
  ]),
  'application load balancer with TLS': template([
    layer({ ...group(), load_balancer: { lb_type: 'application', listeners: [listener, secure] } }, 'Web', {
      container,
    }),
  ]),
  'network load balancer': template([
    layer({
      ...group(),
      load_balancer: {
        lb_type: 'network',
        listeners: [{ load_balancer_port: 9000, protocol: 'tcp', instance_port: 9000 }],
      },
    }),
  ]),
  'private subnet behind a bastion': template([
    { role: 'bastion', flag: 'Bastion', provision: { instance_type: 't3.micro', keypair: true } },
    layer({ instance_count: 2, subnet: { cidr: '10.0.5.0/24', public: false } }),
  ]),
  'mysql with replicas and protection': template([layer({ instance_count: 1, ...database('mysql') })]),
  'postgres with replicas and protection': template([layer({ instance_count: 1, ...database('postgres') })]),
  'redis with replicas': template([layer({ instance_count: 1, ...cache('redis', 3) })]),
  memcached: template([layer({ instance_count: 1, ...cache('memcached', 2) })]),
  'persistent files': template([
    layer({ instance_count: 2, volume_type: 'io2', volume_size: 40 }, 'Web', {
      container: { ...container, container_storage: { type: 'local', mountpath: '/data' } },
    }),
  ]),
  'group shared by two layers': template([
    layer(group(), 'First'),
    layer({ auto_scaling: '#share(First.provision.auto_scaling)' }, 'Second'),
  ]),
  'own tags on everything': template(
    [layer({ ...group(), ...application, ...database('mysql'), ...cache('redis', 2) }, 'Web', { container })],
    { tags: { team: 'shop', 'cost-center': '42' } },
  ),
};

const modelOf = ({ name, document }: Written): [string, StackModel] => {
  const { vendor } = document as { vendor?: { aws?: { region?: string } } };
  const compiled = compileTemplate(document, vendor?.aws?.region ?? region);
  if (!compiled.ok) throw new Error(`${name}: ${JSON.stringify(compiled.problems)}`);
  return [name, compiled.value.model];
};

const inRegion = (model: StackModel, other: string): StackModel =>
  JSON.parse(JSON.stringify(model).replaceAll(model.region, other)) as StackModel;

const v2Database = { Engine: 'db_mysql', DBtype: 'db.t3.micro', DBStorage: '10' };

/** Models of every example, of every complete template in the docs, and of documents that use each feature. */
export function modelsToLint(): readonly (readonly [name: string, model: StackModel])[] {
  const written = Object.entries(variety).map(([name, document]) => modelOf({ name, document }));
  const everything = written.find(([name]) => name === 'own tags on everything');
  if (!everything) throw new Error('The document with everything is missing.');
  const elsewhere = ['cn-northwest-1', 'us-gov-east-1'].map(
    (other) => [`${everything[0]} in ${other}`, inRegion(everything[1], other)] as const,
  );
  return [
    ...[...examples(), ...inDocs()].map(modelOf),
    ...written,
    ...elsewhere,
    ['v2 single', compiledFrom(single).model],
    ['v2 balanced with a database', compiledFrom({ ...balanced, database: [v2Database] }).model],
  ];
}
