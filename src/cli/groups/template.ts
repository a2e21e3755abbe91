import { documentFormats, stackId, tableFormats, text, toggle } from '../args/flag.ts';
import type { Group } from '../command.ts';
import { templateFile, waitFlags } from './stack-flags.ts';

const versionFlag = (name: string, about: string, extra = {}) =>
  text(name, about, { value: 'version id', complete: 'version', ...extra });

export const templateGroup: Group = {
  name: 'template',
  about: 'Apply, preview and compare templates, and look at their versions',
  commands: [
    {
      path: 'template apply',
      about: 'Create a stack from a template, or with --id update it',
      flags: [
        templateFile({ required: true }),
        text('id', 'the stack to update; a new one when left out', { value: 'stack id', complete: 'stack' }),
        text('nickname', 'what people call a new stack', { value: 'name' }),
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
      about: 'Print a template to begin with',
      flags: [],
      formats: documentFormats,
      examples: ['alm template sample --out stack.json', 'alm template sample --fmt yaml'],
      load: async () => (await import('../commands/template/sample.ts')).printSample,
    },
    {
      path: 'template preview',
      about: 'Show what applying a template would do; nothing is changed',
      flags: [
        templateFile({ required: true }),
        text('id', 'as an update of this stack; as a new one when left out', {
          value: 'stack id',
          complete: 'stack',
        }),
      ],
      positionals: ['alm-template'],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm template preview stack.yaml --id <id>'],
      load: async () => (await import('../commands/template/preview.ts')).previewTemplate,
    },
    {
      path: 'template versions',
      about: 'List the versions of the template of a stack',
      flags: [stackId({ short: 'i' })],
      positionals: ['id'],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm template versions --id <id>'],
      load: async () => (await import('../commands/template/versions.ts')).listVersions,
    },
    {
      path: 'template describe',
      about: 'Print a version of the template of a stack',
      flags: [stackId(), versionFlag('ver', 'the version', { default: 'latest' })],
      positionals: ['id', 'ver'],
      only: 'v3',
      formats: documentFormats,
      examples: [
        'alm template describe --id <id>',
        'alm template describe <id> --ver <version id> --fmt yaml',
      ],
      load: async () => (await import('../commands/template/versions.ts')).describeTemplate,
    },
    {
      path: 'template compare',
      about: 'Compare a version with another one, or with a file',
      flags: [
        text('src-sid', 'stack of the source', { value: 'stack id', required: true, complete: 'stack' }),
        versionFlag('src-vid', 'version of the source', { required: true }),
        text('tgt-sid', 'stack of the target; that of the source when left out', {
          value: 'stack id',
          complete: 'stack',
        }),
        versionFlag('tgt-vid', 'version of the target; required without --tgt-body'),
        text('tgt-body', 'file to compare with; --tgt-sid and --tgt-vid then count for nothing', {
          value: 'file',
          complete: 'file',
        }),
        toggle('show-all', 'the two documents too'),
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
      about: 'Bring back an older version of a stack',
      flags: [stackId(), versionFlag('ver', 'the version to bring back', { required: true }), ...waitFlags],
      positionals: ['id', 'ver'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm template rollback <id> --ver <version id> --wait'],
      load: async () => (await import('../commands/stack/back.ts')).rollBack,
    },
  ],
};
