import { randomChoice } from '../basics/random.ts';

const adjectives =
  'able amber ample apt bold brave brief bright brisk broad calm candid clean clear clever cool cosy ' +
  'crisp daring deep deft dense eager early easy even fair famous fast fine firm fit flat fond frank ' +
  'free fresh full gentle glad gold good grand great green happy hardy high honest ideal jolly just ' +
  'keen kind large late lean light lively local long loud loyal lucid lucky mellow merry mild modest ' +
  'neat new nimble noble open pale plain polite prime proud quick quiet rapid rare ready rich ripe ' +
  'robust round royal safe sane sharp shy silent simple sleek slim smart smooth snug soft solid sound ' +
  'spare steady still stout strong sunny sure swift tall tame tidy tough trim true vast vivid warm wide ' +
  'wild wise witty young zesty';

const nouns =
  'anchor apple arch arrow badge bamboo barley basin beacon bell birch bird bloom boat book bridge ' +
  'brook canal candle canoe canyon castle cedar chart cliff cloud clover coast comet compass copper ' +
  'coral cotton crane creek crown dawn delta desert dune eagle echo elm ember falcon fern field finch ' +
  'fjord flame flint forest fox garden gate glacier grove harbor harvest hawk hazel heron hill island ' +
  'ivy jade kite lagoon lake lantern larch leaf lemon lily lotus maple marsh meadow mesa mint moon moss ' +
  'mountain oak oasis ocean olive orbit orchid otter owl palm path pearl pebble pine plain planet plum ' +
  'pond poplar prairie quartz quill rain raven reef ridge river robin rock rose sail sand scarf sea ' +
  'seed shell shore sky slate snow spark spruce star stone stream summit swan thistle tide trail tree ' +
  'tulip valley wave willow wind wren';

const verbs =
  'accept achieve adapt admire advance agree aim amaze answer appear arrange arrive ask attend balance ' +
  'begin believe belong bloom borrow build call carry catch cheer choose climb collect combine compare ' +
  'connect count cover create cross dance deliver demonstrate depend describe design discover draw ' +
  'dream drift drive earn embrace employ enjoy enter explain explore extend face find finish flow fly ' +
  'focus follow gather give glide glow greet grow guard guess guide hear help hold hope hurry imagine ' +
  'improve include invent invite join jump keep kindle know land laugh lead learn lend lift listen look ' +
  'love make manage march match measure meet mix move notice observe offer open order paint pass ' +
  'pause perform plan plant play point polish prepare present produce promise provide pull push reach ' +
  'read receive record relax repair reply rest ride rise roam run sail save search seek send settle ' +
  'shape share shine show sing smile solve spin start stay steer stretch sweep swim take teach think ' +
  'thrive trade travel trust try turn visit wait walk wander watch wave weave welcome win wonder work ' +
  'write';

const lists = [adjectives, nouns, verbs].map((words) => words.split(' '));

/** Three words that are easy to remember: adjective, noun, verb, such as "clean sail demonstrate". */
export const newNickname = (): string => lists.map(randomChoice).join(' ');
