import type { Context } from '../command.ts';
import { type Paint, painter } from '../view/colour.ts';
import type { Progress } from './progress.ts';
import { liveScreen, plainScreen, type Screen } from './screen.ts';
import type { StackEvent } from './stack-calls.ts';
import { elapsedWords, eventText, liveText } from './texts.ts';

const usualColumns = 80;

/** What somebody who waits sees, on standard error: a line for each event, and on a terminal one that lives. */
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
    // Lines of `--verbose` would come in the middle of the living one.
    const isLive = stderr.isTTY && env.TERM !== 'dumb' && !settings.verbose;
    this.#screen = isLive
      ? liveScreen(clock, stderr, () => liveText(progress, stderr.columns ?? usualColumns, paint))
      : plainScreen(clock, () => out.info(`It is still going on: ${elapsedWords(progress)}.`));
  }

  event(event: StackEvent): void {
    const word = event.kind === 'trouble' ? this.#paint('busy', 'warning:') : this.#paint('good', 'info:');
    const text = eventText(event, this.#paint);
    this.#screen.around(() => this.#context.system.stderr.write(`[alm]: ${word} ${text}\n`));
  }

  info(text: string): void {
    this.#screen.around(() => this.#context.out.info(text));
  }

  warn(text: string): void {
    this.#screen.around(() => this.#context.out.warn(text));
  }

  close(): void {
    this.#screen.close();
  }
}
