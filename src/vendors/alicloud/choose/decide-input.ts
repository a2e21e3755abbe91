import type { Problem } from '../../../basics/problem.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import type { Choices } from '../choices.ts';
import type { Offer } from './offer.ts';

export interface DecideInput {
  model: StackModel;
  offer: Offer;
  /** The choices of the version before. */
  kept: Choices;
}

/** The choices of one part of the model, and the problems of those that could not be made. */
export interface Decided<Value> {
  value: Value;
  problems: Problem[];
}
