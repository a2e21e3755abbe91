/** Words for the truth about the application: see docs/rollouts.md. */

/** How a revision of a layer gets to its instances. */
export const rolloutStates = ['rolling', 'serving', 'failing', 'returned', 'superseded', 'unknown'] as const;
export type RolloutState = (typeof rolloutStates)[number];

/** What one instance does with the revision that it should run. `unknown`: it has been silent for too long. */
export const instanceStates = ['starting', 'serving', 'failing', 'unknown'] as const;
export type InstanceState = (typeof instanceStates)[number];

/** Whether the application of a stack serves. `none`: it has none. */
export const healths = ['none', 'unknown', 'serving', 'degraded', 'down'] as const;
export type Health = (typeof healths)[number];

/** What is being done to a stack. Empty: nothing. `returning`: a failed or cancelled update goes back. */
export const doings = ['', 'creating', 'updating', 'undoing', 'returning', 'deleting'] as const;
export type Doing = (typeof doings)[number];

/** What happens when a rollout of an update fails. */
export const failureChoices = ['return', 'stay'] as const;

export const defaultRolloutSeconds = 600;
