import type { Run } from '../../command.ts';
import { readInputFile } from '../../files/input-file.ts';
import { compareClouds } from './compare-clouds.ts';
import { fetchPreview, showPreview } from './show-preview.ts';

export const previewTemplate: Run = async (context) => {
  if (context.args.text('vendor') !== undefined) return compareClouds(context);
  const file = await readInputFile(context, 'alm-template');
  await showPreview(context.out, await fetchPreview(context, file, context.args.text('id')));
};
