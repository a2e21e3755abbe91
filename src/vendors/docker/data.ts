import type { DocumentChange, RemovedData } from '../data.ts';
import { losses } from '../shared/losses.ts';
import { type DockerDocument, emptyDocument } from './document.ts';
import { preview } from './preview.ts';

const dataLosses = new Set<string>([losses.database, losses.files]);

export const removedData = ({ before, after }: DocumentChange<DockerDocument>): RemovedData[] =>
  preview(before, after ?? emptyDocument).flatMap(({ action, resource, resourceType, warning }) =>
    (action === 'remove' || action === 'replace') && dataLosses.has(warning)
      ? [{ action, resource, resourceType, keptAs: '' }]
      : [],
  );
