import { describe, expect, it } from 'vitest';
import type { Layer, StackModel } from '../../../src/model/stack-model.ts';
import type { Template } from '../../../src/vendors/openstack/document.ts';
import { findCycle } from '../../../src/vendors/openstack/layout/references.ts';
import { fixedServers, sampleDatabase, sampleGroup, sampleLayer, sampleModel } from '../sample-model.ts';
import { documentOf, nextDocument, problemsOf } from './compile-world.ts';

const propertiesOf = ({ template }: { template: Template }, name: string) =>
  template.resources[name]?.properties ?? {};

const grouped = (changes: Partial<Layer> = {}): StackModel =>
  sampleModel({ layers: [{ ...sampleGroup(2, 0), ...changes }] });

describe('a document for OpenStack', () => {
  it('contains no secret, only the names of hidden parameters', () => {
    const { template, secrets } = documentOf(sampleModel({ databases: [sampleDatabase()] }));
    expect(template.parameters).toEqual({
      agent_token: { type: 'string', hidden: true },
      database_password: { type: 'string', hidden: true },
      public_key_Web0: { type: 'string' },
    });
    expect(secrets).toEqual({ agentToken: true, databasePassword: true, publicKeysOf: ['Web0'] });
  });

  it('has the script with the token as a hidden parameter in the members of groups too', () => {
    const [member] = Object.values(documentOf(grouped()).files);
    expect(member?.parameters['user_data']).toEqual({ type: 'string', hidden: true });
  });

  it('never starts a server before its way out exists', () => {
    const { template } = documentOf(
      sampleModel({
        layers: [
          sampleLayer(),
          {
            ...sampleGroup(2, 0),
            flag: 'b',
            subnet: { cidr: '10.0.1.0/24', public: true, assignPublicIp: true },
          },
        ],
        databases: [sampleDatabase()],
      }),
    );
    expect(template.resources['Port0OfWeb0']?.depends_on).toEqual(['RouterInterfaceWeb0']);
    expect(template.resources['FloatingIp0OfWeb0']?.depends_on).toEqual(['RouterInterfaceWeb0']);
    expect(template.resources['AutoScalingGroupb']?.depends_on).toContain('RouterInterfaceb');
    expect(template.resources['Databaseapp']?.depends_on).toEqual(['DataRouterInterface']);
  });

  it('makes the first database before the others, as Trove fails at two requests at once in a new project', () => {
    const databases = ['one', 'two', 'three'].map((name) => sampleDatabase({ name }));
    const { resources } = documentOf(sampleModel({ databases })).template;
    const dependencies = databases.map(({ name }) => resources[`Database${name}`]?.depends_on);
    expect(dependencies).toEqual([
      ['DataRouterInterface'],
      ['DataRouterInterface', 'Databaseone'],
      ['DataRouterInterface', 'Databaseone'],
    ]);
  });

  it('gives members of a group public addresses only where no load balancer has one for them', () => {
    const filesOf = (model: StackModel) =>
      Object.keys(Object.values(documentOf(model).files)[0]?.resources ?? {});
    expect(filesOf(grouped())).not.toContain('FloatingIp');
    expect(filesOf(grouped({ loadBalancer: null }))).toContain('FloatingIp');
  });

  it('sets no size of a group, so that an update does not undo what scaling did', () => {
    expect(propertiesOf(documentOf(grouped()), 'AutoScalingGroupWeb0')).not.toHaveProperty(
      'desired_capacity',
    );
  });

  it('waits for the agents, and again for servers that replace others', () => {
    const handles = (model: StackModel) =>
      Object.keys(documentOf(model).template.resources).filter((name) => name.startsWith('WaitHandle'));
    const [first] = handles(sampleModel());
    expect(first).toMatch(/^WaitHandle_[0-9a-f]{8}_0OfWeb0$/);
    expect(handles(fixedServers(1, { instanceType: 't2.medium' }))).toEqual([first]);
    expect(handles(fixedServers(1, { keyPair: false }))).not.toEqual([first]);
  });

  it('does not wait for servers whose agents could not report', () => {
    const silent = fixedServers(1, { securityGroup: { ingress: [], egress: [] } });
    expect(JSON.stringify(documentOf(silent).template)).not.toContain('WaitCondition');
    expect(JSON.stringify(documentOf(sampleModel(), { baseUrl: 'http://localhost' }))).not.toContain(
      'user_data',
    );
    expect(JSON.stringify(documentOf(sampleModel(), { dialect: 'k5' }))).not.toContain('WaitCondition');
  });

  it('lets nothing out of a security group without egress rules', () => {
    const { rules } = propertiesOf(
      documentOf(fixedServers(1, { securityGroup: { ingress: [], egress: [] } })),
      'SecurityGroupWeb0',
    );
    expect(rules).toEqual([{ direction: 'egress', ethertype: 'IPv4', remote_ip_prefix: '127.0.0.1/32' }]);
  });

  it('keeps the network of databases where it is when layers are added', () => {
    const model = sampleModel({ databases: [sampleDatabase()] });
    const first = documentOf(model);
    expect(first.choices.dataCidr).toBe('10.0.255.0/24');
    const more = sampleModel({
      ...model,
      layers: [
        ...model.layers,
        sampleLayer({ flag: 'b', subnet: { cidr: '10.0.254.0/24', public: false, assignPublicIp: false } }),
      ],
    });
    expect(nextDocument(first, more).choices.dataCidr).toBe('10.0.255.0/24');
  });

  it('is rejected when a boot volume or a database would shrink, or the boot volumes of a group would change, but not when the database becomes another one', () => {
    const volume = (sizeGib: number) => fixedServers(1, { volume: { type: null, sizeGib } });
    const database = (changes: Parameters<typeof sampleDatabase>[0]) =>
      sampleModel({ databases: [sampleDatabase(changes)] });
    const shrunk = (before: StackModel, after: StackModel) =>
      problemsOf(after, { kept: documentOf(before).choices }).map(({ path }) => path);
    expect(shrunk(volume(40), volume(30))).toEqual(['layers/0/volume/sizeGib']);
    expect(shrunk(volume(30), volume(40))).toEqual([]);
    const group = (sizeGib: number) =>
      sampleModel({ layers: [{ ...sampleGroup(2, 0), volume: { type: null, sizeGib } }] });
    expect(shrunk(group(30), group(40))).toEqual(['layers/0/volume/sizeGib']);
    expect(shrunk(volume(30), volume(30))).toEqual([]);
    expect(shrunk(database({ storageGib: 30 }), database({ storageGib: 20 }))).toEqual([
      'databases/0/storageGib',
    ]);
    expect(shrunk(database({ storageGib: 30 }), database({ storageGib: 20, engine: 'postgresql' }))).toEqual(
      [],
    );
  });

  it('that would shrink a database is rejected without the claim that the size of the version before is in force', () => {
    const database = (storageGib: number) => sampleModel({ databases: [sampleDatabase({ storageGib })] });
    expect(problemsOf(database(20), { kept: documentOf(database(30)).choices })).toEqual([
      {
        path: 'databases/0/storageGib',
        message:
          'OpenStack cannot shrink a database: the version before asks for 30 GiB, which it may have by now even if that version failed. Ask for no less.',
      },
    ]);
  });

  it('drops network ACLs that let pass whatever the security group allows', () => {
    const rule = { number: 100, protocol: '-1', action: 'allow', egress: false, cidr: '0.0.0.0/0' } as const;
    expect(problemsOf(fixedServers(1, { networkAcl: [rule, { ...rule, egress: true }] }))).toEqual([]);
    expect(problemsOf(fixedServers(1, { networkAcl: [{ ...rule, cidr: '10.0.0.0/8' }] }))).toMatchObject([
      { path: 'layers/0/networkAcl/0' },
    ]);
  });

  it('says what the cloud takes in another way', () => {
    const group = sampleGroup(2, 50);
    const model = sampleModel({ layers: [{ ...group, volume: { type: 'gp2', sizeGib: null } }] });
    expect(documentOf(model).notes).toEqual([
      't2.micro → m1.small (1 CPU, 2 GiB)',
      'Layer Web0 has 0 percent spot instances, not 50: OpenStack has none.',
      'Layer Web0 has volumes of the default type of the cloud: this OpenStack has no volume type gp2.',
      'The load balancer of layer Web0 leaves out a server after 3 failed checks, not 10.',
    ]);
  });
});

describe('dependency cycles', () => {
  const template = (dependencies: Record<string, readonly string[]>) => ({
    resources: Object.fromEntries(
      Object.entries(dependencies).map(([name, others]) => [
        name,
        { type: 'x', properties: { others: others.map((other) => ({ get_resource: other })) } },
      ]),
    ),
  });

  it('are found with the resources in them, in order', () => {
    expect(findCycle(template({ a: ['b'], b: ['c'], c: ['b'] }))).toEqual(['b', 'c', 'b']);
    expect(findCycle({ resources: { a: { type: 'x', depends_on: ['a'] } } })).toEqual(['a', 'a']);
  });

  it('are not found where two resources depend on a third', () => {
    expect(findCycle(template({ a: ['b', 'c'], b: ['c'], c: [] }))).toBeUndefined();
  });
});
