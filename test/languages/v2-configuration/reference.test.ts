import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  cacheItem,
  configuration,
  databaseItem,
  deploy,
  deployMethods,
  serverChanges,
} from '../../../src/languages/v2-configuration/schema.ts';
import { compiled } from '../v3-template/documents.ts';
import { compiledFrom } from './documents.ts';

const reference = readFileSync(join(import.meta.dirname, '../../../docs/v2-configuration.md'), 'utf8');
const [configurations = '', template = ''] = [...reference.matchAll(/```json\n(.*?)```/gs)].map(
  ([, text]) => text ?? '',
);

describe('docs/v2-configuration.md', () => {
  test('shows the same stack in both languages', () => {
    const { model } = compiledFrom(configurations);
    expect(model.databases).toHaveLength(1);
    expect(model).toEqual(compiled(JSON.parse(template)).model);
  });

  test('documents all members and deploy methods', () => {
    const schemas = [configuration, databaseItem, cacheItem, serverChanges, deploy];
    const names = [...schemas.flatMap((schema) => Object.keys(schema.properties)), ...deployMethods];
    expect(names.filter((name) => !reference.includes(`\`${name}\``))).toEqual([]);
  });
});
