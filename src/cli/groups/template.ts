import { documentFormats, type Flag, stackId, tableFormats, text, toggle } from '../args/flag.ts';
import type { Group } from '../command.ts';
import {
  another,
  approvalFlags,
  dataFlags,
  previewOnly,
  restore,
  skipResources,
  templateFile,
  waitFlags,
} from './stack-flags.ts';

const versionFlag = (name: string, about: string, extra = {}) =>
  text(name, about, { value: 'version id', complete: 'version', ...extra });

export const templateGroup: Group = {
  name: 'template',
  about: 'Apply, preview and compare templates',
  commands: [
    {
      path: 'template apply',
      about: 'Create a stack from a template, or update one with --id',
      flags: [
        templateFile({ required: true }),
        text('id', 'stack to update; a new one if omitted', { value: 'stack id', complete: 'stack' }),
        text('nickname', 'display name of a new stack', { value: 'name' }),
        another,
        // A new stack has no data.
        ...[...dataFlags, ...approvalFlags].map((flag): Flag => Object.assign({}, flag, { needs: 'id' })),
        ...waitFlags,
      ],
      positionals: ['alm-template'],
      only: 'v3',
      formats: documentFormats,
      examples: [
        'alm template apply examples/first-stack.json --wait',
        'alm template apply stack.yaml --id <id>',
      ],
      load: async () => (await import('../commands/template/apply.ts')).applyTemplate,
    },
    {
      path: 'template sample',
      about: 'Print a sample template',
      flags: [],
      formats: documentFormats,
      examples: ['alm template sample --out stack.json', 'alm template sample --fmt yaml'],
      load: async () => (await import('../commands/template/sample.ts')).printSample,
    },
    {
      path: 'template preview',
      about: 'Show the changes a template would make, without applying it',
      flags: [
        templateFile({ required: true }),
        text('id', 'stack to compare with; a new one if omitted', {
          value: 'stack id',
          complete: 'stack',
        }),
        text('vendor', 'cloud to compile the template for instead; all: every cloud', { value: 'vendor' }),
        text('region', "region of that cloud; the template's or the first one if omitted", {
          value: 'region',
          needs: 'vendor',
        }),
        text('cred', 'credential with which that cloud is asked; it is not asked if omitted', {
          value: 'credential id',
          complete: 'credential',
          needs: 'vendor',
        }),
      ],
      more:
        'With --vendor, reports what each member of the template becomes on another cloud, what changes there, and what that cloud ' +
        'refuses, with the alternative. No credential of that cloud is needed. With --vendor all, one column for each cloud.',
      positionals: ['alm-template'],
      only: 'v3',
      formats: tableFormats,
      examples: [
        'alm template preview stack.yaml --id <id>',
        'alm template preview stack.yaml --vendor openstack',
        'alm template preview stack.yaml --vendor all --fmt json',
      ],
      load: async () => (await import('../commands/template/preview.ts')).previewTemplate,
    },
    {
      path: 'template versions',
      about: 'List the template versions of a stack',
      flags: [stackId({ short: 'i' })],
      positionals: ['id'],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm template versions --id <id>'],
      load: async () => (await import('../commands/template/versions.ts')).listVersions,
    },
    {
      path: 'template describe',
      about: 'Print a template version of a stack',
      flags: [stackId(), versionFlag('ver', 'version ID', { default: 'latest' })],
      positionals: ['id', 'ver'],
      only: 'v3',
      formats: documentFormats,
      examples: [
        'alm template describe --id <id>',
        'alm template describe <id> --ver <version id> --fmt yaml',
      ],
      load: async () => (await import('../commands/template/describe.ts')).describeTemplate,
    },
    {
      path: 'template schema',
      about: 'Print the JSON schema of templates, or of v2 configurations, for editors',
      flags: [],
      formats: documentFormats,
      examples: [
        'alm template schema --out almanac-template.schema.json',
        'alm template schema --apiver v2 --out almanac-configuration.schema.json',
      ],
      load: async () => (await import('../commands/template/schema.ts')).printSchema,
    },
    {
      path: 'template compare',
      about: 'Compare a template version with another version or a file',
      flags: [
        text('src-sid', 'source stack', { value: 'stack id', required: true, complete: 'stack' }),
        versionFlag('src-vid', 'source version', { required: true }),
        text('tgt-sid', 'target stack; the source stack if omitted', {
          value: 'stack id',
          complete: 'stack',
        }),
        versionFlag('tgt-vid', 'target version; required without --tgt-body'),
        text('tgt-body', 'target template file; --tgt-sid and --tgt-vid are ignored', {
          value: 'file',
          complete: 'file',
        }),
        toggle('show-all', 'also print both documents'),
      ],
      only: 'v3',
      formats: documentFormats,
      examples: [
        'alm template compare --src-sid <id> --src-vid <version id> --tgt-vid latest',
        'alm template compare --src-sid <id> --src-vid latest --tgt-body stack.yaml',
      ],
      load: async () => (await import('../commands/template/compare.ts')).compareTemplates,
    },
    {
      path: 'template rollback',
      about: 'Roll back a stack to an earlier version',
      flags: [
        stackId(),
        versionFlag('ver', 'version to roll back to', { required: true }),
        skipResources,
        restore,
        previewOnly,
        ...dataFlags,
        ...waitFlags,
      ],
      positionals: ['id', 'ver'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm template rollback <id> --ver <version id> --wait'],
      load: async () => (await import('../commands/stack/rollback.ts')).rollBack,
    },
  ],
};
