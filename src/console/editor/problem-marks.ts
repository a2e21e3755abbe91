import {
  type EditorState,
  type Extension,
  Facet,
  type Range,
  StateEffect,
  StateField,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, WidgetType } from '@codemirror/view';
import { fixFor, type Located } from './locate.ts';

const setProblems = StateEffect.define<readonly Located[]>();

interface Marks {
  problems: readonly Located[];
  decorations: DecorationSet;
}

/** Announces what a fix did. */
const onFixed = Facet.define<(what: string) => void>();

/** Replaces the name of a problem by the one that the service suggests. */
function fix(view: EditorView, problem: Located): boolean {
  const change = fixFor(view.state.doc.toString(), problem);
  if (!change) return false;
  const { from, to, insert, label } = change;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    userEvent: 'input.fix',
  });
  for (const tell of view.state.facet(onFixed)) tell(label);
  view.focus();
  return true;
}

/** Below the line of a problem: its path, the sentence of the service, and a button if there is a fix. */
class ProblemCard extends WidgetType {
  readonly #problem: Located;
  readonly #hasFix: boolean;

  constructor(problem: Located, hasFix: boolean) {
    super();
    this.#problem = problem;
    this.#hasFix = hasFix;
  }

  override eq(other: ProblemCard): boolean {
    const { path, message } = other.#problem;
    return this.#problem.path === path && this.#problem.message === message && this.#hasFix === other.#hasFix;
  }

  override toDOM(view: EditorView): HTMLElement {
    const card = document.createElement('div');
    card.className = 'alm-problem-card';
    const text = document.createElement('div');
    if (this.#problem.path !== '') {
      const path = document.createElement('code');
      path.textContent = this.#problem.path;
      text.append(path);
    }
    text.append(this.#problem.message);
    card.append(text);
    if (this.#hasFix) card.append(this.#button(view));
    // The editor measures blocks without their margins, so the space around the card is inside.
    const block = document.createElement('div');
    block.className = 'alm-problem-block';
    block.append(card);
    return block;
  }

  #button(view: EditorView): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    const keys = document.createElement('kbd');
    keys.textContent = 'Ctrl .';
    button.append('Fix', keys);
    button.addEventListener('click', () => {
      const { problems } = view.state.field(marks);
      const now = problems.find(
        ({ path, message }) => path === this.#problem.path && message === this.#problem.message,
      );
      if (now) fix(view, now);
    });
    return button;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const underline = Decoration.mark({ class: 'alm-problem', attributes: { 'aria-invalid': 'true' } });

function decorate(state: EditorState, problems: readonly Located[]): DecorationSet {
  const text = state.doc.toString();
  const ranges = problems.flatMap((problem): Range<Decoration>[] => {
    const [from, to] = [Math.min(problem.from, state.doc.length), Math.min(problem.to, state.doc.length)];
    const widget = new ProblemCard(problem, fixFor(text, problem) !== null);
    const card = Decoration.widget({ widget, block: true, side: 1 }).range(state.doc.lineAt(from).to);
    return from < to ? [underline.range(from, to), card] : [card];
  });
  return Decoration.set(ranges, true);
}

/** Problems move with the text until the service has answered for the new one. */
const marks = StateField.define<Marks>({
  create: () => ({ problems: [], decorations: Decoration.none }),
  update(old, { changes, effects, docChanged, state }) {
    const reported = effects.find((effect) => effect.is(setProblems));
    if (reported) return { problems: reported.value, decorations: decorate(state, reported.value) };
    if (!docChanged) return old;
    return {
      problems: old.problems.map((each) => ({
        ...each,
        from: changes.mapPos(each.from, 1),
        to: changes.mapPos(each.to, -1),
      })),
      decorations: old.decorations.map(changes),
    };
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

/** Fixes the problem that is closest to the cursor. */
const fixNearest = (view: EditorView): boolean => {
  const { head } = view.state.selection.main;
  const near = view.state
    .field(marks)
    .problems.toSorted((a, b) => Math.abs(a.from - head) - Math.abs(b.from - head));
  return near.some((problem) => fix(view, problem));
};

/** Moves the cursor to the next problem, or to the first one. */
export const goToProblem = (view: EditorView): boolean => {
  const { head } = view.state.selection.main;
  const places = view.state
    .field(marks)
    .problems.map(({ from }) => from)
    .toSorted((a, b) => a - b);
  const place = places.find((from) => from > head) ?? places[0];
  if (place === undefined) return false;
  view.dispatch({ selection: { anchor: place }, effects: EditorView.scrollIntoView(place, { y: 'center' }) });
  view.focus();
  return true;
};

export const problemMarks = (tell: (what: string) => void): Extension => [
  marks,
  onFixed.of(tell),
  keymap.of([
    { key: 'Mod-.', run: fixNearest },
    { key: 'F8', run: goToProblem },
  ]),
];

export const showProblems = (view: EditorView, problems: readonly Located[]): void =>
  view.dispatch({ effects: setProblems.of(problems) });
