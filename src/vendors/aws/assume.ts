import { type Outcome, reject, succeed } from '../../basics/problem.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { type Architecture, type Choices, nothingChosen } from './choices.ts';
import { siblingsOf } from './choose/sibling-types.ts';
import { openQuestions } from './layout/open-questions.ts';
import { spreadLayers } from './layout/spread.ts';
import { regionProblems } from './layout/zone.ts';

/** Processors of AWS's own: a `g` after the generation, as in t4g.small. */
const architectureOf = (type: string): Architecture => (/^[a-z]+\d+g/.test(type) ? 'arm64' : 'x86_64');

/** The choices of an account that has all types, zones, images and certificates the model names. */
export function assume(model: StackModel): Outcome<Choices> {
  const problems = regionProblems(model.region);
  if (problems.length > 0) return reject(problems);
  const { types, imagesOf, spotTypes, domains } = openQuestions(model);
  const zones = ['a', 'b', 'c'].map((letter) => `${model.region}${letter}`);
  return succeed({
    ...nothingChosen,
    zones,
    spread: spreadLayers(model, {
      placement: { ...nothingChosen, zones },
      isUndivided: () => false,
      isOffered: () => true,
    }),
    images: Object.fromEntries(
      imagesOf.map(({ flag, type }) => [flag, { id: 'ami-00000000', architecture: architectureOf(type) }]),
    ),
    architectures: Object.fromEntries(types.map((type) => [type, architectureOf(type)])),
    siblings: Object.fromEntries(spotTypes.map((type) => [type, siblingsOf(type)])),
    certificates: Object.fromEntries(
      domains.map((domain) => [domain, `arn:aws:acm:${model.region}:000000000000:certificate/${domain}`]),
    ),
  });
}
