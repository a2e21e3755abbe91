/** The lifecycle hook of all groups of a stack. In its own file: the agent, which completes the hook, also runs on Node.js 18. */
export const lifecycleHookName = (stackId: string): string => `${stackId}-lch-ists-tmnt`;
