import { Failure } from '../../../basics/failure.ts';
import { ambiguousLoginHint } from '../../sign-in/find-login.ts';

export const wrongCredentials = (): Failure =>
  new Failure('unauthorized', 'The username is unknown or the password is wrong', {
    description: ambiguousLoginHint,
  });

export const wrongToken = (): Failure =>
  new Failure('unauthorized', 'The token is invalid or expired', {
    description: 'Sign in again, for example with docker login.',
  });
