import { describe, expect, test } from 'vitest';
import { readPlacement } from '../../../src/languages/v3-template/compile.ts';
import { compiled, type Members, problemsOf, templateOf, webLayer } from './documents.ts';

const withContainer = (container: unknown) => webLayer({}, { container });

const olderContainer: Members = {
  image: 'httpd',
  dockerHubUsername: 'someone',
  dockerHubPassword: 'hidden-one',
  gitPrivateKey: 'hidden-two',
  addon: [{ name: 'mackerel', apiKey: 'hidden-three' }],
};

const sealedContainer: Members = {
  image: 'httpd',
  dockerHubUsername: 'someone',
  dockerHubPassword: '${sealed}',
  gitPrivateKey: '${sealed}',
  addon: [{ name: 'mackerel', apiKey: '${sealed}' }],
};

const names = ['Web/registry_password', 'Web/git_private_key', 'Web/addon/mackerel/api_key'];

describe('secrets of a template', () => {
  test('are removed and named, also under aliases', () => {
    const vendor = { aws: { cred: 'c', region: 'r', secret: 'hidden-four' } };
    const { document, model, secrets, keptSecrets } = compiled({
      ...templateOf(withContainer(olderContainer)),
      vendor,
    });
    expect([...secrets].map(([name, secret]) => [name, secret.reveal()])).toEqual([
      [names[0], 'hidden-one'],
      [names[1], 'hidden-two'],
      [names[2], 'hidden-three'],
    ]);
    expect(keptSecrets).toEqual([]);
    expect(JSON.stringify({ document, model, secrets: [...secrets] })).not.toContain('hidden');
    expect(document).toEqual({
      ...templateOf(withContainer(sealedContainer)),
      vendor: { aws: { cred: 'c', region: 'r' } },
    });
    expect(model.layers[0]?.container).toMatchObject({
      registryPasswordSecret: names[0],
      gitPrivateKeySecret: names[1],
      addons: [{ name: 'mackerel', apiKeySecret: names[2] }],
    });
  });

  test('that are already sealed are kept by name, and the model stays the same', () => {
    const before = compiled(templateOf(withContainer(olderContainer)));
    const after = compiled(before.document);
    expect(after.secrets.size).toBe(0);
    expect(after.keptSecrets).toEqual(names);
    expect(after.model).toEqual(before.model);
    expect(after.document).toEqual(before.document);
  });

  test('may be numbers', () => {
    const { document, secrets } = compiled(
      templateOf(withContainer({ container_registry_username: 'u', container_registry_password: 31415926 })),
    );
    expect(secrets.get('Web/registry_password')?.reveal()).toBe('31415926');
    expect(JSON.stringify(document)).not.toContain('31415926');
  });

  test('that are empty count as omitted', () => {
    const { model, secrets } = compiled(templateOf(withContainer({ container_git_private_key: '' })));
    expect(secrets.size).toBe(0);
    expect(model.layers[0]?.container?.gitPrivateKeySecret).toBeNull();
  });

  test.each([
    ['a copied container', '${copy(Web.container)}'],
    [
      'a used secret',
      { dockerHubUsername: 'x', dockerHubPassword: '${use(Web.container.container_registry_password)}' },
    ],
  ])('are shared by name: %s', (_how, container) => {
    const layers = [withContainer(olderContainer), { role: 'web', flag: 'Other', container }];
    const { document, model, secrets } = compiled(templateOf(...layers));
    expect(model.layers[1]?.container?.registryPasswordSecret).toBe('Web/registry_password');
    expect([...secrets.keys()]).toEqual(names);
    expect(JSON.stringify({ document, model })).not.toContain('hidden');
    expect(compiled(document).model).toEqual(model);
  });

  test.each([
    [
      'the environment',
      { container_env_vars: { KEY: '${use(Web.container.gitPrivateKey)}' } },
      'container_env_vars/KEY',
    ],
    ['a name', { container_code_dir: 'x-${use(Web.container.gitPrivateKey)}' }, 'container_code_dir'],
    [
      'a copied add-on',
      { container_env_vars: '${copy(Web.container.addon.0)}' },
      'container_env_vars/api_key',
    ],
  ])('cannot be used as %s', (_where, container, path) => {
    const layers = [withContainer(olderContainer), { role: 'web', flag: 'Other', container }];
    expect(problemsOf(templateOf(...layers))).toEqual([
      `configurations/1/container/${path}: cannot contain a secret; a secret can only be the value of a member for secrets.`,
    ]);
  });

  test('cannot be combined with other text', () => {
    const container = { container_git_private_key: '${use(Web.provision.availability_zone)}' };
    expect(problemsOf(templateOf(withContainer(container)))).toEqual([
      'configurations/0/container/container_git_private_key: must be the secret value, or "${use(…)}" of the same secret in another layer.',
    ]);
  });

  test('never appear in a problem', () => {
    const container = { ...olderContainer, addon: { name: 'x', apiKey: 'hidden' }, gitPrivatKey: 'hidden' };
    const problems = problemsOf({
      ...templateOf(withContainer(container)),
      vendor: { aws: { secret: 'hidden' } },
    });
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join()).not.toContain('hidden');
  });

  test('of the vendor are part of the placement and removed from the document in any spelling', () => {
    const vendor = { aws: { cred: 'c', region: 'r', secret: 'hidden' } };
    const placement = readPlacement({ vendor });
    expect(placement.ok && placement.value.secret?.reveal()).toBe('hidden');
    expect(JSON.stringify(placement)).not.toContain('hidden');
    const odd = {
      ...templateOf(webLayer()),
      vendor: { aws: [{ SECRET: 'hidden' }], k5: { Secret: 'hidden' } },
    };
    expect(JSON.stringify(compiled(odd).document)).not.toContain('hidden');
    expect(compiled({ ...odd, vendor: 'hidden' }).document).toEqual(templateOf(webLayer()));
  });

  test('are removed without changing the order of members', () => {
    const { document } = compiled({ configurations: [withContainer(olderContainer)], version: '2017-03-03' });
    expect(JSON.stringify(document)).toBe(
      JSON.stringify({ configurations: [withContainer(sealedContainer)], version: '2017-03-03' }),
    );
  });
});
