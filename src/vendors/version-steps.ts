/**
 * A driver that reaches a version in two updates stores the first under a name of its own: the stack is not at the version
 * yet, so the reconciler takes the second step. What the version removes may already be gone.
 */
export const firstStepOf = (version: string): string => `${version}/recreating`;

/** The version that a step belongs to. */
export const targetOf = (version: string): string => version.replace(/\/recreating$/, '');
