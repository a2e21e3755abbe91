import { describe, expect, test } from 'vitest';
import { compileConfiguration } from '../../../src/languages/v2-configuration/compile.ts';
import {
  mergeChanges,
  presentConfiguration,
  type V2Document,
} from '../../../src/languages/v2-configuration/document.ts';
import { readConfigurations } from '../../../src/languages/v2-configuration/read-configurations.ts';
import { readServerChanges } from '../../../src/languages/v2-configuration/read-server-changes.ts';
import { balanced, compiledFrom, problemsIn, region, single, storedFrom, valueOf } from './documents.ts';

const changed = (before: V2Document, configurations: unknown) =>
  valueOf(
    compileConfiguration(mergeChanges(before, valueOf(readConfigurations(configurations, before))), region),
  );

describe('an update of configurations', () => {
  const before = storedFrom(
    { ...balanced, min: 1, max: 4, image: 'httpd', nickname: 'shop', code: 'x' },
    { envvars: { A: '1' } },
  );

  test('changes only the members it contains', () => {
    const { document, model } = changed(before, '{"min":2}');
    expect(document).toEqual({ ...before, configuration: { ...before.configuration, min: '2' } });
    expect(model.layers[0]?.capacity).toMatchObject({ min: 2, max: 4 });
    expect(model.layers[0]?.container?.environment).toEqual({ A: '1' });
  });

  test('without members changes nothing', () => {
    expect(changed(before, undefined).document).toEqual(before);
    expect(changed(before, presentConfiguration(before)).document).toEqual(before);
  });

  test('clears members that are null and keeps members that are empty', () => {
    const { document } = changed(before, { image: null, max: null, nickname: '' });
    const { image: _image, ...others } = before.configuration;
    expect(document).toEqual({ ...before, configuration: { ...others, max: '1' } });
  });

  test('replaces whole lists', () => {
    const item = { ElastiCacheEngine: 'Redis', ElastiCacheNodeType: 'x', ElastiCacheNodes: '2' };
    const grown = changed(before, { elasticache: [item, item] });
    expect(grown.model.caches).toHaveLength(2);
    const shrunk = changed(grown.document as V2Document, { elasticache: [item] });
    expect(shrunk.model.caches).toHaveLength(1);
    expect(changed(shrunk.document as V2Document, { elasticache: [] }).model.caches).toEqual([]);
  });

  test('is rejected with all problems of the merged configuration', () => {
    expect(problemsIn(readConfigurations({ min: 9, type: null, spotRange: 'x' }, before))).toEqual([
      'configurations/spotRange: must be an integer from 0 to 100.',
      'configurations/type: is required. Server type.',
      'configurations/min: must not exceed max (4).',
    ]);
  });

  test('does not modify the previous document', () => {
    const copy = structuredClone(before);
    mergeChanges(before, { configuration: { min: '3', image: null }, server: { environmentVariables: [] } });
    expect(before).toEqual(copy);
  });
});

describe('secrets of a v2 stack', () => {
  const sent = {
    ...single,
    image: 'x',
    dockerHubUsername: 'u',
    dockerHubPassword: 31415926,
    code: 'y',
    gitPrivateKey: 'hidden-key',
  };
  const names = ['web/registry_password', 'web/git_private_key', 'web/addon/mackerel/api_key'];

  test('are not in the stored document or in the model', () => {
    const { document, model, secrets, keptSecrets } = compiledFrom(sent, {
      monitoringApiKey: 'hidden-api-key',
    });
    expect([...secrets].map(([name, secret]) => [name, secret.reveal()])).toEqual([
      [names[0], '31415926'],
      [names[1], 'hidden-key'],
      [names[2], 'hidden-api-key'],
    ]);
    expect(keptSecrets).toEqual([]);
    expect(JSON.stringify([document, model])).not.toMatch(/hidden|31415926/);
  });

  test('that are already sealed are kept by name, and the model stays the same', () => {
    const before = compiledFrom(sent, { mackerelApiKey: 'hidden' });
    const after = valueOf(compileConfiguration(before.document as V2Document, region));
    expect(after.secrets.size).toBe(0);
    expect(after.keptSecrets).toEqual(names);
    expect(after.model).toEqual(before.model);
    expect(after.document).toEqual(before.document);
  });

  test('are replaced or cleared one at a time', () => {
    const before = storedFrom(sent, { mackerelApiKey: 'hidden' });
    const { secrets, keptSecrets } = changed(before, {
      dockerHubPassword: 'new',
      gitPrivateKey: '${sealed}',
    });
    expect([...secrets.keys()]).toEqual([names[0]]);
    expect(keptSecrets).toEqual([names[1], names[2]]);
    const cleared = mergeChanges(before, valueOf(readServerChanges({ mackerelApiKey: null })));
    expect(valueOf(compileConfiguration(cleared, region)).keptSecrets).toEqual([names[0], names[1]]);
    expect(changed(before, { gitPrivateKey: null }).keptSecrets).toEqual([names[0], names[2]]);
  });

  test('may be as long as private keys', () => {
    const { secrets } = compiledFrom({ ...single, gitPrivateKey: 'k'.repeat(9000) });
    expect(secrets.get('web/git_private_key')?.reveal()).toHaveLength(9000);
  });

  test('are rejected in members that are shown, and do not appear in the problem', () => {
    expect(problemsIn(readConfigurations({ image: '${sealed}' }))).toEqual([
      'configurations/image: cannot contain a secret; a secret can only be the value of a member for secrets.',
    ]);
    const problems = problemsIn(readConfigurations({ ...sent, gitPrivatKey: 'hidden', min: 'x' }, null));
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toMatch(/hidden|31415926/);
  });

  test('are not in responses, and all other members are, as strings', () => {
    expect(presentConfiguration(storedFrom({ ...sent, nickname: 7, spotRange: 5 }))).toEqual({
      ...single,
      region,
      image: 'x',
      dockerHubUsername: 'u',
      code: 'y',
      gitReference: 'master',
      nickname: '7',
      spotRange: '5',
      min: '1',
      max: '1',
    });
  });
});
