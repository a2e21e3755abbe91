import type { DataChoice } from '../../../../src/model/data-choice.ts';
import type { Release } from '../../../../src/vendors/data.ts';

export const released = (choice: DataChoice, ...resources: string[]): Release[] =>
  resources.map((resource) => ({ storeId: `id-of-${resource}`, resource, kind: 'database', choice }));
