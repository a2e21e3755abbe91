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
        container_env_vars: { DB_PASSWORD: 'hidden-variable' },
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
    ['YAML in a JSON editor', 'json', stringify(document)],
    ['JSON in a YAML editor', 'yaml', JSON.stringify(document)],
  ] as const)('has no secret of %s', (_, format, text) => {
    const safe = withoutSecrets(text, format, schema);
    expect(safe?.text).not.toContain('hidden');
    expect(safe?.omitted).toBe(6);
    expect(withoutSecrets(text, format, null)?.text).not.toContain('hidden');
  });

  it.each([
    ['JSON', 'json', JSON.stringify(document)],
    ['indented JSON', 'json', JSON.stringify(document, null, 2)],
    ['YAML', 'yaml', stringify(document)],
  ] as const)('has no secret of %s of which the end is missing', (_, format, text) => {
    for (let end = 0; end < text.length; end += 1) {
      const safe = withoutSecrets(text.slice(0, end), format, schema);
      expect(safe?.text ?? '', text.slice(0, end)).not.toContain('hid');
    }
  });

  it.each(['json', 'yaml'] as const)(
    'has no secret of JSON in an editor of %s that lacks or repeats any one quote, bracket, colon or comma',
    (format) => {
      const text = JSON.stringify(document);
      for (const { index } of text.matchAll(/["{}[\],]|(?<="):/g))
        for (const wrong of [
          text.slice(0, index) + text.slice(index + 1),
          text.slice(0, index + 1) + text.slice(index),
        ]) {
          const safe = withoutSecrets(wrong, format, schema);
          expect(safe?.text ?? '', wrong).not.toContain('hidden');
        }
    },
  );

  it('keeps everything else, and can be read', () => {
    const safe = parse(withoutSecrets(stringify(document), 'yaml', schema)?.text ?? '') as typeof document;
    expect(safe.configurations[0]?.container).toEqual({
      ...document.configurations[0]?.container,
      container_env_vars: { DB_PASSWORD: '' },
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
  ] as const)('keeps the rest of %s', (_, format, text, kept, omitted) => {
    expect(withoutSecrets(text, format, null)).toEqual({ text: kept, omitted });
    expect(withoutSecrets(kept, format, null)).toEqual({ text: kept, omitted: 0 });
  });

  it.each([
    'password: hi,dden}hidden # kept\n',
    'password: ${sealed}hidden\n',
    'password: "hidden # hidden\n',
    'label: a # api_key: hidden\n',
    'image: https://0123456789hiddentoken@example.com/a\n',
    'repo: "me:hidden@example.com/a.git"\n',
    'code: https://example.com/a.zip?token=hidden&x=1\n',
  ])('has no part of the secret of %j', (text) => {
    const safe = withoutSecrets(text, 'yaml', null);
    expect(safe?.omitted).toBe(1);
    expect(safe?.text).not.toContain('dden');
    expect(withoutSecrets(safe?.text ?? '', 'yaml', null)).toEqual({ text: safe?.text, omitted: 0 });
  });

  it.each([
    ['two values of one member', 'password: "hidden" hidden"\n  : [ {\n'],
    ['an alias', 'label: &a hidden\npassword: *a\n'],
    ['two documents', 'label: a\n---\npassword: hidden\n'],
    ['no member', 'hidden'],
  ])('is none for a text with %s', (_, text) => {
    expect(withoutSecrets(text, 'yaml', null)).toBeNull();
    expect(withoutSecrets(text, 'json', null)).toBeNull();
  });

  it('may be empty', () => {
    expect(withoutSecrets('\n', 'json', null)).toEqual({ text: '\n', omitted: 0 });
  });
});
