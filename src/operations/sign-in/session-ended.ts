import { Failure } from '../../basics/failure.ts';

export const ended = () =>
  new Failure('unauthorized', 'The access token is invalid or expired', { description: 'Sign in again.' });
