/** `refused`: the vendor rejected the request and nothing started. Connection errors are thrown instead. */
export type Answer = { accepted: true } | { accepted: false; reason: string };
export const accepted: Answer = { accepted: true };
export const refused = (reason: string): Answer => ({ accepted: false, reason });
