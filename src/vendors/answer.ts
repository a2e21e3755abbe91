/** `refused`: the vendor rejected the request and nothing started. Connection errors are thrown instead. */
export type Answer =
  /**
   * `note`: what the step means beyond the request, as a sentence for the events. `begun: false`: the state of the stack does not
   * allow the step yet, so nothing of the version was made; the same request later takes it.
   */
  { accepted: true; note?: string; begun?: false } | { accepted: false; reason: string };
export const accepted: Answer = { accepted: true };
export const notBegun: Answer = { accepted: true, begun: false };
export const refused = (reason: string): Answer => ({ accepted: false, reason });
