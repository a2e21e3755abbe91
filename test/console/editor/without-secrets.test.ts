import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { withVendors } from '../../../src/console/editor/schema.ts';
import { withoutSecrets } from '../../../src/console/editor/without-secrets.ts';
import { writtenSchema } from '../../../src/languages/v3-template/written-schema.ts';

const schema = withVendors(writtenSchema('x'), { aws: [] });
const pem =
  '-----BEGIN OPENSSH PRIVATE KEY-----\nhidden-key\nhidden-line\n-----END OPENSSH PRIVATE KEY-----\n';

const document = {
  version: '2017-03-03',
  vendor: { aws: { cred: 'AKIA', secret: 'hidden-vendor' } },
  configurations: [
    {
      role: 'web',
      flag: 'A',
      container: {
        container_image: 'nginx',
        container_registry_password: 'hidden-registry',
        container_git_repo: 'https://me:hidden-token@git.example.com/a.git',
        container_git_private_key: pem,
        container_addons: [{ name: 'mackerel', api_key: 'hidden-api' }],
      },
    },
  ],
};

describe('a text that is kept in the browser', () => {
  it.each([
    ['JSON', 'json', JSON.stringify(document, null, 2)],
    ['JSON on one line', 'json', JSON.stringify(document)],
    ['YAML', 'yaml', stringify(document)],
    ['YAML in braces', 'yaml', stringify(document, { collectionStyle: 'flow' })],
    ['YAML that cannot be read', 'yaml', `${stringify(document)}\n  : [ {\n`],
    ['JSON that is not complete', 'json', JSON.stringify(document, null, 2).slice(0, -20)],
  ] as const)('has no secret of %s', (_, format, text) => {
    const safe = withoutSecrets(text, format, schema);
    expect(safe.text).not.toContain('hidden');
    expect(safe.omitted).toBe(5);
    expect(withoutSecrets(text, format, null).text).not.toContain('hidden');
  });

  it('keeps everything else, and can be read', () => {
    const safe = parse(withoutSecrets(stringify(document), 'yaml', schema).text) as typeof document;
    expect(safe.configurations[0]?.container).toEqual({
      ...document.configurations[0]?.container,
      container_registry_password: '',
      container_git_repo: 'https://git.example.com/a.git',
      container_git_private_key: '',
      container_addons: [{ name: 'mackerel', api_key: '' }],
    });
  });

  it('keeps the placeholders of secrets that the service has', () => {
    const text = 'configurations:\n  - container:\n      container_registry_password: ${sealed}\n';
    expect(withoutSecrets(text, 'yaml', schema)).toEqual({ text, omitted: 0 });
  });

  it.each([
    [
      'a JSON line',
      'json',
      '{\n"password": "hidden", "label": "kept"}',
      '{\n"password": "", "label": "kept"}',
      1,
    ],
    [
      'a JSON line with a placeholder',
      'json',
      '{\n"password": "${sealed}", "label": "kept"}',
      '{\n"password": "${sealed}", "label": "kept"}',
      0,
    ],
    ['a comment', 'yaml', 'password: hidden # kept\n', 'password: "" # kept\n', 1],
    [
      'a comment after a placeholder',
      'yaml',
      'password: ${sealed} # kept\n',
      'password: ${sealed} # kept\n',
      0,
    ],
    [
      'a comment after nothing',
      'yaml',
      'password: # kept\nlabel: kept\n',
      'password: # kept\nlabel: kept\n',
      0,
    ],
    [
      'braces',
      'yaml',
      'a: {\n  password: hidden, label: kept }\n',
      'a: {\n  password: "", label: kept }\n',
      1,
    ],
    [
      'the member after one that has no value yet',
      'json',
      '{\n  "password": \n  "label": "kept"\n}',
      '{\n  "password": \n  "label": "kept"\n}',
      0,
    ],
  ] as const)('keeps the rest of %s', (_, format, text, kept, omitted) => {
    expect(withoutSecrets(text, format, null)).toEqual({ text: kept, omitted });
    expect(withoutSecrets(kept, format, null)).toEqual({ text: kept, omitted: 0 });
  });

  it.each([
    'password: hi,dden}hidden # kept\n',
    'password: "hidden" hidden"\n  : [ {\n',
    'password: "hidden # hidden\n',
    'password: ${sealed}hidden\n',
  ])('has no part of the secret of %j', (text) => {
    expect(withoutSecrets(text, 'yaml', null).text).not.toContain('dden');
  });
});
