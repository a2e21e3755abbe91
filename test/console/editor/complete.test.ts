import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wordsAt } from '../../../src/console/editor/complete.ts';
import { cursorPath } from '../../../src/console/editor/cursor-path.ts';
import { withVendors } from '../../../src/console/editor/schema.ts';
import { type Format, writtenIn } from '../../../src/console/editor/written.ts';
import { writtenSchema } from '../../../src/languages/v3-template/written-schema.ts';

const schema = withVendors(writtenSchema('x'), {
  aws: ['SANDBOX', 'AKIA1'],
  docker: [],
});

/** `|` is the cursor. */
const complete = (written: string, format: Format = 'yaml') => {
  const at = written.indexOf('|');
  const text = written.replace('|', '');
  const cursor = cursorPath(text, at, format);
  return cursor ? wordsAt(schema, cursor, format) : [];
};
const labels = (written: string, format: Format = 'yaml'): string[] =>
  complete(written, format).map(({ label }) => label);

describe('in YAML, the cursor', () => {
  it('at the beginning gets the members of a template, required ones first', () => {
    expect(labels('|').slice(0, 3)).toEqual(['version', 'configurations', 'label']);
  });

  it('gets only the members that the object does not have yet', () => {
    const found = labels('version: 2017-03-03\n|\nconfigurations:\n  - role: web\n');
    expect(found).toContain('label');
    expect(found).not.toContain('version');
    expect(found).not.toContain('configurations');
  });

  it('in a new entry of a list gets the members of the entry', () => {
    expect(labels('configurations:\n  - role: web\n    flag: A\n  - |\n')).toEqual([
      'role',
      'flag',
      'provision',
      'container',
      'rollout_timeout',
      'on_failure',
    ]);
  });

  it('in a list that is not indented gets the members of the entry', () => {
    expect(labels('configurations:\n- role: web\n  |')).toEqual([
      'flag',
      'provision',
      'container',
      'rollout_timeout',
      'on_failure',
    ]);
  });

  it('deep below gets the members of the object that its column belongs to', () => {
    const text = readFileSync(
      join(import.meta.dirname, '../../../examples/balanced-with-database.yaml'),
      'utf8',
    );
    const inBalancer = labels(text.replace('        listeners:', '        sc|\n        listeners:'));
    expect(inBalancer).toContain('lb_type');
    expect(inBalancer).not.toContain('listeners');
    expect(labels(text.replace('      rds:', '      |\n      rds:'))).toContain('network_acl');
  });

  it('in braces gets the members of the object that are not there yet, before and after it', () => {
    const found = labels(
      'configurations:\n  - provision:\n      security_group:\n        ingress:\n          - { ip_protocol: tcp, |, to_port: 80 }\n',
    );
    expect(found).toContain('from_port');
    expect(found).not.toContain('to_port');
    expect(found).not.toContain('ip_protocol');
  });

  it('behind a colon gets the words that the member may have', () => {
    expect(labels('configurations:\n  - role: |')).toEqual(['web', 'bastion']);
    expect(labels('configurations:\n  - role: web\n    provision:\n      keypair: t|')).toEqual([
      'true',
      'false',
    ]);
  });

  it('behind a colon sees which word is the default', () => {
    const words = complete('configurations:\n  - provision:\n      keypair: |');
    expect(words.find(({ label }) => label === 'true')?.detail).toBe('default');
  });

  it('gets the saved credentials of the vendor', () => {
    expect(labels('vendor:\n  aws:\n    cred: |')).toEqual(['SANDBOX', 'AKIA1']);
    expect(labels('vendor: { aws: { cred: |')).toEqual(['SANDBOX', 'AKIA1']);
  });

  it('in a comment and behind a text gets nothing', () => {
    expect(labels('# |')).toEqual([]);
    expect(labels('configurations:\n  - role: web\n    # fl|')).toEqual([]);
  });

  it('after a function in braces still gets the members of its block', () => {
    expect(labels('configurations:\n  - provision:\n      image: ${computed}\n    |')).toContain('role');
  });
});

describe('in JSON, the cursor', () => {
  it('gets names in quotes with their colon', () => {
    const [word] = complete('{ "configurations": [{ | }] }', 'json');
    expect(word?.insert).toBe('"role": ');
  });

  it('gets values in quotes, and numbers and truth values without', () => {
    const values = complete('{ "configurations": [{ "role": "|" }] }', 'json').map(({ insert }) => insert);
    expect(values).toEqual(['"web"', '"bastion"']);
    const truth = complete('{ "configurations": [{ "provision": { "keypair": | } }] }', 'json');
    expect(truth.map(({ insert }) => insert)).toEqual(['true', 'false']);
  });

  it('does not get names that the object has before or after it', () => {
    expect(labels('{ "configurations": [{ "role": "web", |, "flag": "A" }] }', 'json')).toEqual([
      'provision',
      'container',
      'rollout_timeout',
      'on_failure',
    ]);
  });
});

it('has a description for every member of every example template', () => {
  const text = readFileSync(
    join(import.meta.dirname, '../../../examples/balanced-with-database.yaml'),
    'utf8',
  );
  for (const { path, key } of writtenIn(text, 'yaml')) {
    if (!key || path.includes('env_vars/') || path.startsWith('vendor')) continue;
    const before = text.slice(0, key.from);
    const name = path.split('/').at(-1) ?? '';
    const cursor = cursorPath(before, before.length, 'yaml');
    const word = cursor && wordsAt(schema, cursor, 'yaml').find(({ label }) => label === name);
    expect(word?.about, path).toBeTruthy();
  }
});
