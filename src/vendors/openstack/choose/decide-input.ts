import type { StackModel } from '../../../model/stack-model.ts';
import type { Choices } from '../choices.ts';
import type { Dialect } from '../dialect.ts';
import type { Offer } from './offer.ts';

export interface DecideInput {
  model: StackModel;
  offer: Offer;
  /** The choices of the version before. */
  kept: Choices;
  dialect: Dialect;
}
