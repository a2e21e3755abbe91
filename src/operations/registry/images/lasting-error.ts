import { Failure } from '../../../basics/failure.ts';
import { isDataError } from '../../../store/database/data-error.ts';

/** Whether an image is the reason, so that the same request fails again. Outages of the registry and of the database end by themselves. */
export const isLasting = (error: unknown): error is Error =>
  (error instanceof Failure && error.retryAfter === undefined) || isDataError(error);
