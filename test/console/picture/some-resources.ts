import type { Resource, StackEvent } from '../../../src/console/picture/resource.ts';

export const resource = (name: string, more: Partial<Resource> = {}): Resource => ({
  name,
  type: 'Thing',
  physical_id: null,
  layer: null,
  kind: 'other',
  status: 'complete',
  status_reason: '',
  status_changed_at: null,
  leaving: false,
  depends_on: [],
  ...more,
});

let count = 0;

const start = Date.parse('2026-01-01T00:00:00Z');

/** An event so many seconds after the beginning. */
export const event = (second: number, more: Partial<StackEvent> = {}): StackEvent => ({
  event_id: (count += 1),
  time: new Date(start + second * 1000).toISOString(),
  kind: 'resource',
  resource: '',
  resource_type: '',
  status: '',
  message: '',
  version_id: 'v1',
  ...more,
});

export const at = (second: number): number => start + second * 1000;
