import type { Context } from '../command.ts';
import { type Paint, painter } from '../view/colour.ts';
import type { Progress } from './progress.ts';
import { liveScreen, plainScreen, type Screen } from './screen.ts';
import type { StackEvent } from './stack-calls.ts';
import { elapsedText, eventText, liveText } from './texts.ts';

const defaultColumns = 80;

/** Output of a wait on standard error: a line for each event, and on a terminal a live progress line. */
export class Display {
  readonly #context: Pick<Context, 'system' | 'out'>;
  readonly #paint: Paint;
  readonly #screen: Screen;

  constructor(context: Pick<Context, 'system' | 'out' | 'settings'>, progress: Progress) {
    const { system, out, settings } = context;
    const { clock, stderr, env } = system;
    const paint = painter(stderr, env);
    this.#context = context;
    this.#paint = paint;
    // Lines of `--verbose` would interrupt the live line.
    const isLive = stderr.isTTY && env.TERM !== 'dumb' && !settings.verbose && !out.quiet;
    this.#screen = isLive
      ? liveScreen(clock, stderr, () => liveText(progress, stderr.columns ?? defaultColumns, paint))
      : plainScreen(clock, () => out.info(`Still in progress: ${elapsedText(progress)}.`));
  }

  event(event: StackEvent): void {
    if (this.#context.out.quiet && event.kind !== 'trouble') return;
    const level = event.kind === 'trouble' ? this.#paint('busy', 'warning:') : this.#paint('good', 'info:');
    const text = eventText(event, this.#paint);
    this.#screen.print(() => this.#context.system.stderr.write(`[alm]: ${level} ${text}\n`));
  }

  info(text: string): void {
    this.#screen.print(() => this.#context.out.info(text));
  }

  warn(text: string): void {
    this.#screen.print(() => this.#context.out.warn(text));
  }

  close(): void {
    this.#screen.close();
  }
}
