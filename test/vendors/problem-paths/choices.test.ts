import { describe, expect, it } from 'vitest';
import type { StackModel } from '../../../src/model/stack-model.ts';
import { chooseFor } from '../../../src/vendors/aws/choose.ts';
import { type CannedWorld, cannedRegion, cannedWorld } from '../aws/canned-clients.ts';
import { awsError } from '../aws/canned-groups.ts';
import { resolves, type Sent, v2, v3 } from './documents.ts';

/** An account that offers something of everything, but nothing of what the documents name. */
const other = (): CannedWorld =>
  cannedWorld({
    zones: ['ap-northeast-1x'],
    types: { 'm5.large': { runs: ['x86_64'], zones: ['ap-northeast-1x'] } },
    versions: { mysql: ['8.4.9'], redis: ['7.1'] },
    classes: { 'db.m5.large': { multi: true } },
    nodeTypes: ['cache.t4g.medium'],
  });

async function pathsIn({ request, compiled }: Sent, world: CannedWorld, changes: Partial<StackModel> = {}) {
  const outcome = await chooseFor(cannedRegion(world), { ...compiled.model, ...changes }, null);
  const paths = outcome.ok ? [] : outcome.problems.map(({ path }) => compiled.locate(path));
  expect(paths.filter((path) => !resolves(request, path))).toEqual([]);
  return paths;
}

const data = 'configurations/2/provision';
const provision = 'configurations/0/provision';

describe('what AWS does not offer is reported in the document', () => {
  it.each(Object.entries(v3))('of a template as %s', async (_, sent) => {
    expect(await pathsIn(sent, other())).toEqual(
      expect.arrayContaining([
        `${provision}/instance_type`,
        `${provision}/availability_zone`,
        `${provision}/auto_scaling/availability_zones`,
        `${provision}/image`,
        `${data}/rds/db_instance_type`,
        `${data}/elasticache/node_type`,
      ]),
    );
    expect(await pathsIn(sent, { ...other(), versions: { mysql: ['8.0.1'], redis: ['7.1'] } })).toContain(
      `${data}/rds/version`,
    );
  });

  it.each(Object.entries(v2))('of %s of v2', async (_, sent) => {
    expect(await pathsIn(sent, other())).toEqual(
      expect.arrayContaining([
        'configurations/type',
        'configurations/database/0/dbtype',
        'configurations/elasticache/0/elasticachenodetype',
      ]),
    );
    expect(await pathsIn(sent, { ...other(), versions: { mysql: ['8.0.1'], redis: ['7.1'] } })).toContain(
      'configurations/database/0/engine',
    );
  });

  it('a region and a key are reported where the document names them', async () => {
    const regions = { 'us-east-1': 'opt-in-not-required', 'me-central-1': 'not-opted-in' };
    const disabled = { region: 'me-central-1' };
    expect(await pathsIn(v3.JSON, cannedWorld({ regions }), disabled)).toEqual(['vendor/aws/region']);
    expect(await pathsIn(v2['a configuration'], cannedWorld({ regions }), disabled)).toEqual(['region']);
    const rejected = { describeInstanceTypes: awsError('AuthFailure', 'not able to validate', 401) };
    expect(await pathsIn(v3.JSON, { ...other(), refusals: rejected })).toEqual(['vendor/aws/cred']);
    expect(await pathsIn(v2['a configuration'], { ...other(), refusals: rejected })).toEqual(['cred']);
  });
});
