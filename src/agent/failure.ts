import { EngineError } from '../docker-engine/errors.ts';

interface FailureDetails {
  /** Trying again cannot help: only another configuration, image or code does. */
  definite?: boolean;
  /** The last lines of the container that failed. */
  lastLines?: string;
  cause?: unknown;
}

/** Why a revision cannot be deployed. */
export class DeployFailure extends Error {
  readonly definite: boolean;
  readonly lastLines: string;

  constructor(message: string, { definite = false, lastLines = '', cause }: FailureDetails = {}) {
    super(message, { cause });
    this.name = 'DeployFailure';
    this.definite = definite;
    this.lastLines = lastLines;
  }
}

/** Status 400: the engine cannot work with it, such as a bad reference, or a program that the image does not have. */
export const isDefinite = (error: unknown): boolean =>
  error instanceof DeployFailure ? error.definite : error instanceof EngineError && error.status === 400;
