import type { Context } from '../command.ts';
import { type Paint, painter, stripControls, type Tone } from '../view/colour.ts';
import type { WidthOf } from '../view/table.ts';
import { drawProgress } from './draw.ts';
import type { Progress } from './progress.ts';
import { liveScreen, plainScreen, type Screen } from './screen.ts';
import type { StackEvent } from './stack-calls.ts';
import { elapsedText, eventText } from './texts.ts';

const defaultSize = { columns: 80, rows: 24 };

type Level = 'info' | 'warning' | 'error';
const tones: Readonly<Record<Level, Tone>> = { info: 'good', warning: 'busy', error: 'bad' };

/** Agents report failures with this status. */
const agentError = 'error';

const levelOf = ({ kind, status }: StackEvent): Level => {
  if (kind === 'trouble') return 'warning';
  return status.endsWith('_FAILED') || (kind === 'agent' && status === agentError) ? 'error' : 'info';
};

/** What the rows of a terminal do not show. */
const isBesideRows = ({ kind, status }: StackEvent): boolean =>
  kind === 'trouble' || kind === 'data' || (kind === 'agent' && status === agentError);

type DisplayContext = Pick<Context, 'system' | 'out' | 'settings'>;

/** Whether a wait is drawn. Lines of `--verbose` would interrupt the drawing. */
export const isLive = ({ system: { stderr, env }, settings, out }: DisplayContext): boolean =>
  stderr.isTTY && env.TERM !== 'dumb' && !settings.verbose && !out.quiet;

/** Output of a wait on standard error: rows that are redrawn on a terminal, otherwise a line for each event. */
export class Display {
  readonly isLive: boolean;
  readonly #context: DisplayContext;
  readonly #progress: Progress;
  readonly #paint: Paint;
  readonly #screen: Screen;
  #said = '';

  /** `widthOf` measures texts on a terminal. */
  constructor(context: DisplayContext, progress: Progress, widthOf: WidthOf) {
    const { system, out } = context;
    const { clock, stderr, env } = system;
    const paint = painter(stderr, env);
    this.#context = context;
    this.#progress = progress;
    this.#paint = paint;
    this.isLive = isLive(context);
    const frame = (isOver: boolean): string[] =>
      drawProgress(progress.view, {
        width: stderr.columns || defaultSize.columns,
        height: stderr.rows || defaultSize.rows,
        now: clock.now(),
        isOver,
        widthOf,
        paint,
      });
    this.#screen = this.isLive
      ? liveScreen(clock, stderr, frame)
      : plainScreen(clock, () => out.info(`Still in progress: ${elapsedText(progress)}.`));
  }

  event(event: StackEvent): void {
    const level = levelOf(event);
    if (this.isLive && !isBesideRows(event)) return;
    if (this.#context.out.quiet && level === 'info') return;
    this.#print(level, eventText(event, this.#paint));
  }

  /** Says once that a failed change is undone; a terminal has it above the rows. */
  progressed(): void {
    const { isGoingBack, goingBackReason: reason } = this.#progress;
    const text = isGoingBack ? `The change failed and is undone${reason === '' ? '.' : `: ${reason}`}` : '';
    if (!this.isLive && text !== '' && this.#said === '') this.warn(text);
    this.#said = text;
  }

  info(text: string): void {
    if (!this.#context.out.quiet) this.#print('info', stripControls(text));
  }

  warn(text: string): void {
    this.#print('warning', stripControls(text));
  }

  close(): void {
    this.#screen.close();
  }

  /** On a terminal, only what is wrong has a label. */
  #print(level: Level, text: string): void {
    const label = this.isLive && level === 'info' ? '' : `${this.#paint(tones[level], `${level}:`)} `;
    const line = `${this.isLive ? '' : '[alm]: '}${label}${text}\n`;
    this.#screen.print(() => this.#context.system.stderr.write(line));
  }
}

/** A line on standard error without a label. */
export const plainLine = ({ system: { stderr } }: Pick<Context, 'system'>, text: string): void =>
  void stderr.write(`${stripControls(text)}\n`);

/** A message: for a person without a label. */
export const say = (context: DisplayContext, text: string): void =>
  isLive(context) ? plainLine(context, text) : context.out.info(text);
