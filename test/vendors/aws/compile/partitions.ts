import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackModel } from '../../../../src/model/stack-model.ts';
import type { Template } from '../../../../src/vendors/aws/document.ts';
import { compileForAws } from '../../golden/aws.ts';

const golden = join(import.meta.dirname, '..', '..', 'golden');

/** Every golden model, compiled for another region. */
export const goldenTemplatesIn = (region: string): [name: string, template: Template][] =>
  readdirSync(golden)
    .filter((file) => file.endsWith('.model.json'))
    .map((file) => {
      const text = readFileSync(join(golden, file), 'utf8');
      const { region: old } = JSON.parse(text) as StackModel;
      // Also its zones.
      const compiled = compileForAws(JSON.parse(text.replaceAll(old, region)) as StackModel, 'mo-1');
      if (!compiled.ok) throw new Error(`${file} in ${region}: ${JSON.stringify(compiled.problems)}`);
      return [file.replace('.model.json', ''), compiled.value.template];
    });
