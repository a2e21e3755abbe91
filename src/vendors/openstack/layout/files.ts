import type { Layer } from '../../../model/stack-model.ts';

/** Whether the containers of a layer keep files on its servers. Members of groups come and go, so that theirs do not last. */
export const hasFiles = ({ capacity, container }: Layer): boolean =>
  capacity.kind === 'fixed' && container?.storage?.kind === 'local';
