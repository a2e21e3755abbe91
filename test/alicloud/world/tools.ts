import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Template } from '../../../src/vendors/alicloud/document.ts';

/** The tools of scripts/with-ros.sh, which know ROS from what its vendor publishes. */

export const toolsFolder = process.env['ALM_ROS_DOUBLE'] ?? '';
export const dataFolder = process.env['ALM_ROS_DATA'] ?? '';

interface Finding {
  code: string;
  path: string;
  msg: string;
}
/** `change`: Add, Remove, Modify, or words about a change that is not possible in place. */
export interface UpdateFinding {
  resource: string;
  property?: string;
  change: string;
}
interface Validator {
  validate(template: Template, bytes: number): { E: Finding[]; W: Finding[] };
  updateReport(before: Template, after: Template): UpdateFinding[];
  /** The specification of the vendor, by type of resource. */
  OLD: Readonly<Record<string, { Properties: Readonly<Record<string, { UpdateAllowed: boolean }>> }>>;
}

const { open } = createRequire(import.meta.url)(join(toolsFolder, 'validate.cjs')) as {
  open: (folder: string) => Validator;
};
export const validator = open(dataFolder);

/** Errors and warnings of the offline validator. */
export const findingsIn = (template: Template): string[] => {
  const { E, W } = validator.validate(template, Buffer.byteLength(JSON.stringify(template)));
  return [...E, ...W].map(({ code, path, msg }) => `${code} ${path}: ${msg}`);
};

/** The lines of the vendor's own checker, by file. */
export function vendorCheck(templates: Readonly<Record<string, Template>>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-ros-'));
  try {
    const files = Object.entries(templates).map(([name, template]) => {
      const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.json`);
      writeFileSync(file, JSON.stringify(template));
      return file;
    });
    const python = process.env['ALM_TEST_ROS_PYTHON'] ?? 'python3';
    const script = join(toolsFolder, 'vendor-check.py');
    const { stdout, stderr } = spawnSync(python, [script, ...files], { encoding: 'utf8' });
    if (stdout === '') throw new Error(stderr);
    return stdout.trim().split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
