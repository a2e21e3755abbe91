/** Seconds from the request to the complete stack, in the sandbox at its usual speed. test/console/examples.test.ts measures them. */
export const secondsOf = {
  'first-stack': 6,
  'balanced-with-database': 10,
  'two-layers-and-bastion': 10,
} as const;
