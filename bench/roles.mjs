// Cost of an access decision with a role of 1,000 statements, compared with the simplest implementation. See README.md.
// Usage after a build: node bench/roles.mjs
import { stackResources } from '../dist/model/actions.js';
import { decide } from '../dist/model/decide-access.js';
import { parseScope } from '../dist/model/role-scope.js';

const statements = 1000;
const rounds = 5;
const action = 'stack:describeStack';

const statement = (index) => ({
  Effect: index % 4 === 3 ? 'Deny' : 'Allow',
  Action: index % 2 === 0 ? ['stack:*', 'template:describe*'] : [action, 'stack:deleteStack'],
  Resource:
    index % 10 === 0 ? [`mrn:alm:stack:mo-${index}-*`] : [`mrn:alm:stack:mo-${index}`, `other-${index}`],
});
const body = {
  version: '2017-05-05',
  Statement: Array.from({ length: statements }, (_, index) => statement(index)),
};
const text = JSON.stringify(body);

const readRoles = () => {
  const parsed = parseScope(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return [{ roleId: 'bench', name: 'Bench', scope: parsed.value.scope }];
};

const fits = (pattern, name) =>
  new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(name);

/** Goes through all statements for each question, without aliases, owners or vendors. */
const decideSimply = (resources) => {
  const matching = body.Statement.filter(
    ({ Action, Resource }) =>
      Action.some((pattern) => fits(pattern, action)) &&
      Resource.some((pattern) =>
        resources.some((name) => fits(pattern, name) || fits(pattern, name.slice(name.lastIndexOf(':') + 1))),
      ),
  );
  return matching.length > 0 && matching.every(({ Effect }) => Effect === 'Allow');
};

const questions = Array.from({ length: 200 }, (_, index) =>
  stackResources(index % 3 === 0 ? `mo-${index * 5}-tk` : `mo-${index * 6}`),
);

/** Decisions per second, the best of several runs. */
const perSecond = (repeat, answer) => {
  const runs = Array.from({ length: rounds }, () => {
    const start = performance.now();
    for (let round = 0; round < repeat; round += 1) for (const question of questions) answer(question);
    return (repeat * questions.length * 1000) / (performance.now() - start);
  });
  return Math.max(...runs);
};

const roles = readRoles();
const decideCompiled = (resources) => decide(roles, { action, resources, caller: 'ann' }).allowed;
const wrong = questions.filter((question) => decideCompiled(question) !== decideSimply(question));
if (wrong.length > 0) throw new Error(`The two implementations disagree about ${wrong.join(', ')}`);

const simple = perSecond(1, decideSimply);
const compiled = perSecond(500, decideCompiled);
const firstDecision = Math.min(
  ...Array.from({ length: rounds }, () => {
    const fresh = readRoles();
    const start = performance.now();
    decide(fresh, { action, resources: questions[0], caller: 'ann' });
    return performance.now() - start;
  }),
);

const number = (value) => Math.round(value).toLocaleString('en');
console.log(`a role of ${number(statements)} statements, ${questions.length} stacks checked`);
console.log(`  baseline              ${number(simple).padStart(10)} decisions/s`);
console.log(
  `  compiled              ${number(compiled).padStart(10)} decisions/s   × ${(compiled / simple).toFixed(0)} of the baseline`,
);
console.log(`  first decision        ${firstDecision.toFixed(2).padStart(10)} ms`);
