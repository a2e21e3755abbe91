import type { ErrorBody } from '../../../src/contract/error-body.ts';

/** What the service answers when it refuses, for tests that answer in its place. */
export const errorBody = (message: string): ErrorBody => ({
  code: '1000',
  error: 'refused',
  message,
  description: '',
  request_id: 'a-request',
});
