import { describe, expect, it } from 'vitest';
import { ownTurn } from '../../../src/basics/clock.ts';
import { succeed } from '../../../src/basics/problem.ts';
import { compileTemplate } from '../../../src/languages/v3-template/compile.ts';
import { rowsOf } from '../../../src/operations/stacks/portability/rows.ts';
import { tryCloud } from '../../../src/operations/stacks/portability/try-cloud.ts';
import { assume } from '../../../src/vendors/alicloud/assume.ts';
import { regionsOf } from '../../../src/vendors/alicloud/catalog.ts';
import type { Choices } from '../../../src/vendors/alicloud/choices.ts';
import { remarksOf } from '../../../src/vendors/alicloud/compile/notes.ts';
import { compile } from '../../../src/vendors/alicloud/compile.ts';
import type { AlicloudDocument } from '../../../src/vendors/alicloud/document.ts';
import { resourcesOf } from '../../../src/vendors/alicloud/resources.ts';
import type { Vendor } from '../../../src/vendors/vendor.ts';
import { anyCloudTemplate } from '../../vendors/any-cloud.ts';

const baseUrl = 'https://almanac.example.com';

/** The parts of the vendor that need no cloud. */
const vendor = {
  compile: (model, stackId, choices) => compile({ model, stackId, choices: choices as Choices, baseUrl }),
  resources: (document, flags) => resourcesOf(document as AlicloudDocument, flags),
  changes: (model) => remarksOf({ model }),
} as Partial<Vendor> as Vendor;

async function rowsFor(template: object, region = 'ap-northeast-1') {
  const compiled = compileTemplate(template, region);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const { model, locate } = compiled.value;
  const trial = await tryCloud(vendor, model, {
    choose: async (each) => assume(each, regionsOf.alicloud),
    takeTurn: ownTurn,
  });
  return rowsOf({ model, locate, trial, remarks: { default: [], at_submit: [] } });
}

const brief = (rows: Awaited<ReturnType<typeof rowsFor>>) =>
  rows.map(({ member, result, becomes, notes }) => ({
    member,
    result,
    becomes: becomes.map(({ resourceType, count }) => `${count} ${resourceType}`),
    notes: notes.map(({ path, message }) => `${path}: ${message}`),
  }));

describe('a template of AWS on Alibaba Cloud', () => {
  it('types of AWS are refused with the matching ones, and every member still says what it becomes', async () => {
    expect(brief(await rowsFor(anyCloudTemplate()))).toMatchInlineSnapshot(`
      [
        {
          "becomes": [],
          "member": "region",
          "notes": [],
          "result": "maps",
        },
        {
          "becomes": [
            "1 ALIYUN::ECS::VPC",
            "1 ALIYUN::ECS::VSwitch",
            "1 ALIYUN::RAM::Role",
          ],
          "member": "network",
          "notes": [],
          "result": "maps",
        },
        {
          "becomes": [
            "1 ALIYUN::ESS::ScalingGroup",
            "1 ALIYUN::ESS::ScalingConfiguration",
            "1 ALIYUN::ESS::ScalingGroupEnable",
            "1 ALIYUN::ESS::ScalingRule",
          ],
          "member": "servers",
          "notes": [
            "configurations/0/provision/instance_type: t2.micro is not an instance type of Alibaba Cloud. Use ecs.e-c1m2.large, which has about the same size.",
          ],
          "result": "refused",
        },
        {
          "becomes": [
            "1 ALIYUN::ECS::VSwitch",
          ],
          "member": "subnet",
          "notes": [],
          "result": "maps",
        },
        {
          "becomes": [
            "1 ALIYUN::ECS::SecurityGroup",
          ],
          "member": "rules",
          "notes": [],
          "result": "maps",
        },
        {
          "becomes": [
            "1 ALIYUN::SLB::LoadBalancer",
            "1 ALIYUN::SLB::Listener",
          ],
          "member": "load_balancer",
          "notes": [
            "configurations/0/provision/load_balancer: The load balancer of layer Web has no security group: those of Alibaba Cloud accept connections from everywhere.",
            "configurations/0/provision/load_balancer: The load balancer of layer Web has a public address, and is in no subnet.",
            "configurations/0/provision/load_balancer: The load balancer of layer Web checks servers by a request for /, not by a connection alone. Any answer but a server error will do.",
          ],
          "result": "changes",
        },
        {
          "becomes": [
            "1 ALIYUN::ECS::SSHKeyPair",
          ],
          "member": "key_pair",
          "notes": [],
          "result": "maps",
        },
        {
          "becomes": [],
          "member": "container",
          "notes": [],
          "result": "maps",
        },
        {
          "becomes": [
            "1 ALIYUN::RDS::DBInstance",
          ],
          "member": "database",
          "notes": [
            "configurations/0/provision/rds/db_instance_type: db.t3.small is not a class of mysql databases of Alibaba Cloud. Use mysql.n2.small.2c, which has about the same size.",
            "configurations/0/provision/rds/storage: Database Web has 20 GiB, the minimum of Alibaba Cloud, not 10.",
          ],
          "result": "refused",
        },
      ]
    `);
  });

  it('a region that it does not have is refused, with those that it has', async () => {
    const [region] = await rowsFor(anyCloudTemplate(), 'us-gov-east-1');
    expect(region?.notes).toMatchObject([
      { kind: 'refused', message: expect.stringContaining('cn-beijing') },
    ]);
  });
});

it('a vendor that makes no choices is compiled as it is', async () => {
  const compiled = compileTemplate(anyCloudTemplate(), 'ap-northeast-1');
  if (!compiled.ok) throw new Error('not compiled');
  const refusing = {
    ...vendor,
    compile: () => ({ ok: false, problems: [{ path: 'layers', message: 'No.' }] }),
  };
  const trial = await tryCloud(refusing as unknown as Vendor, compiled.value.model, {
    choose: async () => succeed(undefined),
    takeTurn: ownTurn,
  });
  expect(trial).toMatchObject({ problems: [{ path: 'layers', message: 'No.' }], changes: [] });
});
